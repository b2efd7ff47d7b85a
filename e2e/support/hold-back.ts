import type { BrowserContext } from '@playwright/test'

/** Keeps the window's calls of this name back from the engine, save the first `passed` of them, until they are let go. */
export async function holdBack(context: BrowserContext, held: string, passed = 0): Promise<() => void> {
  const waiting: (() => void)[] = []
  let toPass = passed
  await context.routeWebSocket(/channel/, (socket) => {
    const engine = socket.connectToServer()
    socket.onMessage((text) => {
      const { name } = JSON.parse(String(text)) as { name?: string }
      if (name !== held || toPass-- > 0) engine.send(text)
      else waiting.push(() => engine.send(text))
    })
  })
  return () => {
    toPass = Infinity
    for (const send of waiting) send()
  }
}
