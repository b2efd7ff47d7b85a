import { spawn } from 'node:child_process'

const patience = 3000

/** Hands the address to the person's default browser; false where the system has no way to, or it fails at once. */
export function openDefaultBrowser(url: string, platform: NodeJS.Platform): Promise<boolean> {
  const [command, ...args] = openCommand(url, platform)
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.unref()
  return new Promise((resolve) => {
    // Some openers stay as long as their browser: after a while no news is good news.
    const timer = setTimeout(() => resolve(true), patience)
    const done = (opened: boolean) => {
      clearTimeout(timer)
      resolve(opened)
    }
    child.once('error', () => done(false))
    child.once('exit', (code) => done(code === 0))
  })
}

export function openCommand(url: string, platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === 'darwin') return ['open', url]
  // `start` belongs to cmd, to which `&` in an address means something; this takes it as it is.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return ['xdg-open', url]
}
