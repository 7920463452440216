/** What broke it is told, not what can't be closed then. */
export async function runAndClose(crawler: { run(): Promise<void>; close(): void }): Promise<void> {
  try {
    await crawler.run();
  } catch (error) {
    try {
      crawler.close();
    } catch {}
    throw error;
  }
  crawler.close();
}
