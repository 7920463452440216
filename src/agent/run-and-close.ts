import type { TurnTaker } from '../model/turn.js';
import type { Bell, World } from '../model/world.js';

/** What broke it is told, not what can't be closed then. */
export async function runAndClose(
  crawler: TurnTaker & { close(): void },
  bell: Bell,
  world: World,
): Promise<void> {
  try {
    await world.drive(crawler, bell);
  } catch (error) {
    try {
      crawler.close();
    } catch {}
    throw error;
  }
  crawler.close();
}
