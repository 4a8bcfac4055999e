import { connectRedis } from "@/realtime/cluster/redis/redis_connection.ts";

/** Prints how a server at an address answers, or why it does not. */
try {
  const redis = await connectRedis({ url: Deno.args[0] });
  console.log(await redis.command(["PING"]));
  await redis.close();
} catch (error) {
  console.log((error as Error).message);
}
