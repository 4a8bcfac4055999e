import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { FirstNumber } from "@/components/page/first_number.ts";

/** Whether what waits for the number goes on. */
async function goesOn(number: FirstNumber, time: FakeTime): Promise<boolean> {
  let isShown = false;
  void number.shown().then(() => isShown = true);
  await time.tickAsync(0);
  return isShown;
}

describe("what waits for the first number of a page", () => {
  it("goes on when the number arrived", async () => {
    using time = new FakeTime();
    const number = new FirstNumber();
    number.expect();
    assert.equal(await goesOn(number, time), false);
    number.arrived();
    assert.equal(await goesOn(number, time), true);
  });

  it("goes on after a second, when the number does not arrive", async () => {
    using time = new FakeTime();
    const number = new FirstNumber();
    number.expect();
    await time.tickAsync(999);
    assert.equal(await goesOn(number, time), false);
    await time.tickAsync(1);
    assert.equal(await goesOn(number, time), true);
  });

  it("does not wait on a page that expects no number", async () => {
    using time = new FakeTime();
    const number = new FirstNumber();
    number.arrived();
    assert.equal(await goesOn(number, time), true);
  });
});
