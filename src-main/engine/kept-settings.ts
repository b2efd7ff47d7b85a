import * as v from 'valibot'
import { jsonFile } from '#main/platform/json-file.ts'
import { Settings } from '#shared/contract/settings.ts'
import type { InputOf, OutputOf } from '#shared/rpc/types.ts'
import type { Calls } from '#shared/contract/contract.ts'

const paths = v.optional(v.array(v.string()), [])

/** The file: the person's settings, and the real paths of folders, which no window is told as settings. */
const Kept = v.strictObject({ ...Settings.entries, openFolders: paths, recentFolders: paths })

const mostRecent = 10

/** What the person set and which folders they opened, from one start to the next. */
export interface KeptSettings {
  get(): Promise<OutputOf<Calls, 'settings.get'>>
  set(part: InputOf<Calls, 'settings.set'>): Promise<Settings>
  /** Folders that were open when Treeline ended, and those opened before, the latest first. */
  folders(): Promise<{ readonly open: readonly string[]; readonly recent: readonly string[] }>
  /** Keeps which folders are open now, and the one that was just opened. */
  keepFolders(open: readonly string[], latest: string | null): void
  idle(): Promise<void>
}

/** `path` null keeps them in memory. `log` is told of folders that could not be kept. */
export function keptSettings(path: string | null, log: (line: string) => void, changed: () => void): KeptSettings {
  const file = jsonFile(path, Kept)
  return {
    async get() {
      const { openFolders: _open, recentFolders: _recent, ...settings } = await file.read()
      return { settings, problem: file.problem() }
    },
    async set(part) {
      const {
        openFolders: _open,
        recentFolders: _recent,
        ...settings
      } = await file.change((kept) => ({
        ...kept,
        ...part
      }))
      changed()
      return settings
    },
    async folders() {
      const { openFolders, recentFolders } = await file.read()
      return { open: openFolders, recent: recentFolders }
    },
    keepFolders(open, latest) {
      const change = file.change((kept) => ({
        ...kept,
        openFolders: [...open],
        recentFolders: latest === null ? kept.recentFolders : withLatest(kept.recentFolders, latest)
      }))
      change.catch((error: unknown) => log(`The open folders are not remembered: ${String(error)}`))
    },
    idle: () => file.idle()
  }
}

const withLatest = (before: readonly string[], latest: string): string[] =>
  [latest, ...before.filter((path) => path !== latest)].slice(0, mostRecent)
