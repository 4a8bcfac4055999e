export default function X(): never {
  throw new Error("render-throw");
}
