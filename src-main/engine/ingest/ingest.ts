import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join } from 'node:path'
import type { Format } from '#main/formats/format.ts'
import { asRefusal, condemn, isDamage, isDiskTrouble } from '#main/index/open-index.ts'
import { createQueries } from '#main/index/queries.ts'
import type { WriteDb } from '#main/index/types.ts'
import { createUpdates, type KnownSession } from '#main/index/updates.ts'
import { DrainableQueue, type TaskOptions } from '#main/platform/drainable-queue.ts'
import { isTemporary } from '#main/platform/temporary-name.ts'
import type { StartWatch, Watch } from '#main/watch/watch.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { AgentId, FormatId } from '#shared/model/agent.ts'
import type { FaultKind } from '#shared/model/fault.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { FolderState } from '../writer-contract.ts'
import { claimFolder, type ClaimMemory, claimsHold, type FolderClaims, rememberClaims } from './claim-folder.ts'
import { FollowedFolder } from './followed-folder.ts'
import { listFolder, type ObservedListing, stateOf } from './listing.ts'
import { recogniseFile, unreadableFile } from './recognise-file.ts'
import { RecordCache } from './record-cache.ts'
import {
  isCurrent,
  keepOpening,
  keyOf,
  readSession,
  type SessionSource,
  sumUp,
  type UpdateParts
} from './update-session.ts'

export interface IngestOptions {
  readonly db: WriteDb
  readonly formats: readonly Format[]
  /** null: nothing is followed, only read. */
  readonly watch: StartWatch | null
  readonly env: Readonly<Record<string, string | undefined>>
  /** Real path of the person's home folder. */
  readonly home: string
  readonly log: (line: string) => void
  readonly say: IngestEvents
}

export interface IngestEvents {
  folderChanged(path: string): void
  sessionChanged(session: SessionKey, revision: number): void
  sessionGone(session: SessionKey): void
}

/** Folders of other programs that hold very many files and no session. */
const neverEntered = new Set(['node_modules', '.git'])
const mostFolders = 100_000
const progressMs = 200
/** A session of which more chunks are new, and which takes longer, is shown as far as it was read, and again now and then. */
const leastChunks = 4
const firstPartMs = 150
const leastPartMs = 1000
/** A session that takes longer to sum up is announced first and summed up later. */
const quickMs = 50
const quickEntries = 5000
const leastSumMs = 500
/** A session of which more is read until its first rows are there than is worth waiting for, and how long one must be unchanged. */
const longEntries = 2000
const openingRestMs = 10_000
const longestPauseMs = 5000
const quickWalkMs = 1000
const longestRestMs = 5 * 60_000
const hotMs = 10 * 60_000
const longestLineage = 100

/**
 * The writer role: reads what is opened into the index and follows it. Everything it does to the index is a task of one
 * queue; what was asked for and what changes now goes first.
 */
export class Ingest {
  readonly #options: IngestOptions
  readonly #parts: UpdateParts
  readonly #queue: DrainableQueue
  readonly #controller = new AbortController()
  readonly #folders = new Map<string, FollowedFolder>()
  /** Sessions by each of their files; one that was opened by name may share them. */
  readonly #sources = new Map<string, Map<SessionKey, SessionSource>>()
  /** Sessions that the person opened by name: they stay, whatever a folder's scan makes of them. */
  readonly #named = new Set<SessionKey>()
  /** Milliseconds that the last work on a session or folder took. */
  readonly #costs = new Map<string, number>()
  #requests = 0
  readonly #told = new WeakMap<FollowedFolder, number>()
  /** Files outside of all folders that are watched by themselves. */
  readonly #followed = new Set<string>()

  constructor(options: IngestOptions) {
    this.#options = options
    this.#parts = {
      updates: createUpdates(options.db),
      queries: createQueries(options.db),
      records: new RecordCache()
    }
    this.#queue = new DrainableQueue((error, key) => this.#report(error, key))
  }

  /** Begins to read and follow a folder, given by its real path; anew where it was gone. */
  follow(path: string): void {
    const known = this.#folders.get(path)
    if (known !== undefined && known.state !== 'gone') return
    this.drop(path)
    const { watch, formats } = this.#options
    const lookedFor = formats.map((format) => format.lookedFor)
    const folder = new FollowedFolder(path, lookedFor, watch && ((signal) => watch(path, signal)))
    this.#folders.set(path, folder)
    this.#walk(folder)
    void listen(folder.watch, (hint) => {
      if (folder.state === 'gone') this.#followReturned(path)
      else if (hint === null) this.#walkAgain(folder)
      else this.#look(folder, hint)
    })
  }

  drop(path: string): void {
    const folder = this.#folders.get(path)
    this.#folders.delete(path)
    folder?.controller.abort()
  }

  states(): FolderState[] {
    const { updates } = this.#parts
    return [...this.#folders.values()].map((folder) => folder.status(updates.countBelow(folder.path)))
  }

  /**
   * Reads a file, given by its real path, with the sessions it comes from and those that its agents started, and
   * follows it. Resolves when that is done or, `until` it can be shown, with the first part of a long one. Refused as
   * `not-found`, `unsupported`.
   */
  followFile(path: string, agent: AgentId | null, until: 'read' | 'shown' = 'read'): Promise<SessionKey> {
    const done = Promise.withResolvers<SessionKey>()
    const end = () => done.reject(closed(path))
    this.#controller.signal.addEventListener('abort', end)
    const shown = until === 'shown' ? done.resolve : () => undefined
    const task = () => this.#readNamed(path, agent, shown).then(done.resolve, done.reject)
    this.#queue.add(`file ${path} ${this.#requests++}`, task, { urgent: true })
    return done.promise.finally(() => this.#controller.signal.removeEventListener('abort', end))
  }

  /** Resolves when all that is known to have changed is read, summed up and announced. */
  idle(): Promise<void> {
    return this.#queue.idle()
  }

  async close(): Promise<void> {
    for (const path of this.#folders.keys()) this.drop(path)
    this.#controller.abort()
    await this.#queue.close()
  }

  async #readNamed(path: string, agent: AgentId | null, shown: (key: SessionKey) => void): Promise<SessionKey> {
    const source = recogniseFile(path, agent, this.#options.formats)
    const key = keyOf(source)
    this.#named.add(key)
    try {
      await this.#update(source, shown)
      shown(key)
      this.#sumUp(source, true)
    } catch (error) {
      if (!isSystemError(error)) throw asRefusal(error, this.#options.db.name)
      throw unreadableFile(path, error)
    }
    await this.#readParents(key)
    await this.#readBelow(path)
    this.#followNamed(path, agent, source)
    return key
  }

  async #readParents(child: SessionKey): Promise<void> {
    const seen = new Set<SessionKey>()
    for (let key = child; !seen.has(key) && seen.size < longestLineage;) {
      seen.add(key)
      const file = this.#parts.queries.session(key)?.summary.parent?.file ?? null
      const parent = file === null ? undefined : this.#recogniseParent(file)
      if (parent === undefined) return
      await this.#readNow(parent)
      key = keyOf(parent)
    }
  }

  /** A path in a file is never followed to another machine. */
  #recogniseParent(file: string): SessionSource | undefined {
    if (!isAbsolute(file) || /^[\\/]{2}/.test(file)) return undefined
    try {
      return recogniseFile(realpathSync(file), null, this.#options.formats)
    } catch {
      return undefined
    }
  }

  /** Sessions of agents that a session started lie in a folder of its name. */
  async #readBelow(session: string): Promise<void> {
    const folders = [session.slice(0, session.length - extname(session).length)]
    for (let path = folders.pop(); path !== undefined; path = folders.pop()) {
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) continue
      const listing = listFolder(path)
      for (const source of this.#sourcesOf(path, claimFolder(listing, this.#options.formats)))
        await this.#readNow(source)
      folders.push(...listing.folders.map((name) => join(path, name)))
    }
  }

  #followNamed(path: string, agent: AgentId | null, source: SessionSource): void {
    if (this.#options.watch === null || this.#followed.has(path)) return
    this.#followed.add(path)
    const watch = this.#options.watch(source.folder, this.#controller.signal)
    watchSet(watch, source)
    const lookAgain = () => {
      const now = recogniseFile(path, agent, this.#options.formats)
      watchSet(watch, now)
      return this.#updateSafely(now)
    }
    void listen(watch, (hint) => {
      const changed = this.#sources.get(hint ?? path)?.get(keyOf(source))
      if (changed !== undefined) this.#addSession(changed, { urgent: true })
      else if (isSpread(source) && stateOf(path) !== undefined)
        this.#queue.add(`look ${path}`, lookAgain, { urgent: true, delay: this.#pause(path) })
    })
  }

  #followReturned(path: string): void {
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) this.follow(path)
  }

  /** A walk that takes long is not begun again and again. */
  #walkAgain(folder: FollowedFolder): void {
    if (performance.now() >= folder.restUntil) this.#walk(folder)
  }

  /** Begins to look at all of a folder, known places first. */
  #walk(folder: FollowedFolder): void {
    if (folder.walked !== null) return
    folder.walkedFrom = performance.now()
    folder.walked = new Set()
    folder.seen = new Map()
    folder.device = lstatSync(folder.path, { throwIfNoEntry: false })?.dev ?? null
    for (const place of this.#places()) if (folder.holds(place)) this.#addWalk(folder, place)
    this.#addWalk(folder, folder.path)
  }

  /** Known places that exist. */
  #places(): string[] {
    const { formats, env, home } = this.#options
    const places = formats.flatMap(({ locate }) => locate(env, home))
    return places.flatMap(({ path }) => (existsSync(path) ? [realpathSync(path)] : []))
  }

  #addWalk(folder: FollowedFolder, path: string): void {
    if (folder.walked?.has(path) !== false) return
    folder.walked.add(path)
    folder.waiting.add(path)
    this.#addScan(folder, path)
  }

  #addScan(folder: FollowedFolder, path: string, options: TaskOptions = {}): void {
    this.#queue.add(`scan ${folder.path} ${path}`, () => this.#scan(folder.path, path), options)
  }

  /** Something may have changed at a path. */
  #look(folder: FollowedFolder, path: string): void {
    folder.seen?.clear()
    const sources = this.#sources.get(path)
    if (sources !== undefined && stateOf(path) !== undefined) {
      for (const source of sources.values()) this.#addSession(source, { urgent: true, delay: this.#pause(path) })
      return
    }
    let nearest = folder.folders.has(path) ? path : dirname(path)
    for (; !folder.folders.has(nearest); nearest = dirname(nearest)) {
      if (!folder.holds(nearest) || neverEntered.has(basename(nearest))) return
    }
    this.#addScan(folder, nearest, { urgent: true, delay: this.#pause(nearest) })
  }

  /** For the folder that is open at that root by now. */
  #scan(root: string, path: string): void {
    const folder = this.#folders.get(root)
    if (folder === undefined) return
    const started = performance.now()
    try {
      this.#readFolder(folder, path)
    } catch (error) {
      if (!isSystemError(error) && !isDiskTrouble(error)) throw error
      folder.setFault(path, { kind: 'unreadable', message: `This folder cannot be read: ${String(error)}` })
    } finally {
      this.#costs.set(path, performance.now() - started)
      this.#arrive(folder, path)
    }
  }

  #readFolder(folder: FollowedFolder, path: string): void {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat?.isDirectory() !== true) {
      this.#lose(folder, path)
      return
    }
    if (stat.dev !== folder.device) return
    folder.watch?.folder(path, stat.ino)
    const listing = listFolder(path, folder.seen)
    const isNews = folder.folders.get(path) !== listing.files.length
    folder.folders.set(path, listing.files.length)
    const roots = this.#gathering(folder, path)
    const found = this.#claimsIn(
      listing,
      this.#options.formats.filter(({ id }) => !roots.has(id))
    )
    const isFaultNews = this.#noteFaults(folder, listing, found)
    this.#takeIn(listing, this.#sourcesOf(path, found))
    for (const root of roots.values()) {
      if (folder.walked === null) this.#addScan(folder, root, { urgent: true, delay: this.#pause(root) })
      // The walk comes by it; what appeared before this folder was watched is found when it is over.
      else if (folder.watch !== null) folder.gathering.add(root)
    }
    this.#enter(folder, listing)
    if (isNews || isFaultNews) this.#tell(folder)
  }

  /** For each format that claims a folder's files further up, where it does, as far as that is open. */
  #gathering(folder: FollowedFolder, path: string): ReadonlyMap<FormatId, string> {
    return new Map(
      this.#options.formats.flatMap(({ id, gathered }): (readonly [FormatId, string])[] => {
        const root = gathered?.(path) ?? null
        return root !== null && folder.holds(root) ? [[id, root]] : []
      })
    )
  }

  /** What lies in a folder, from memory where that still holds. */
  #claimsIn(listing: ObservedListing, formats: readonly Format[]): FolderClaims {
    const { updates } = this.#parts
    const kept = updates.claims(listing.path)
    const memory = kept === undefined ? undefined : (JSON.parse(kept) as ClaimMemory)
    if (memory !== undefined && claimsHold(memory, listing, formats)) return memory
    const found = claimFolder(listing, formats)
    const isWorthIt = listing.looked.size > 0 && listing.unreadable.size === 0
    if (isWorthIt) updates.keepClaims(listing.path, JSON.stringify(rememberClaims(listing, formats, found)))
    else if (kept !== undefined) updates.keepClaims(listing.path, null)
    return found
  }

  /** True where what is wrong with the folder itself is news. */
  #noteFaults(folder: FollowedFolder, listing: ObservedListing, { unsupported, faults }: FolderClaims): boolean {
    const { path } = listing
    const message = `Sessions of ${unsupported} lie in this folder. Treeline cannot read them yet.`
    const ofStore = unsupported === null ? null : ({ kind: 'unsupported-store', message } as const)
    const own = unnameable(listing) ?? ofStore
    const isNews = folder.setFaults(path, [...(own === null ? [] : [{ path, ...own }]), ...faults])
    const names = new Set(listing.files)
    for (const name of listing.looked.keys()) {
      const error = listing.unreadable.get(name)
      const fault = error === undefined ? null : unreadable(error)
      // A file of this very folder loses its fault when its session is read.
      if (fault !== null || !names.has(name)) folder.setFault(join(listing.path, name), fault)
    }
    return isNews
  }

  #sourcesOf(folder: string, { claims }: FolderClaims): SessionSource[] {
    return claims.flatMap(({ format: id, set }) => {
      const format = this.#options.formats.find((one) => one.id === id)
      return format === undefined ? [] : [{ format, set, folder }]
    })
  }

  /** Reads what is new among the sessions of a folder, and forgets those that are gone. */
  #takeIn({ path, state }: ObservedListing, sources: readonly SessionSource[]): void {
    const claimed = new Set(sources.map(keyOf))
    for (const source of sources) {
      this.#register(source, state)
      if (isCurrent(this.#parts, source, state)) this.#keepOpening(source)
      else this.#addSession(source)
    }
    for (const known of this.#parts.updates.sessionsIn(path)) {
      if (!claimed.has(known.key) && !(this.#named.has(known.key) && stateOf(known.path) !== undefined))
        this.#remove(known)
    }
  }

  #register(source: SessionSource, state = stateOf): void {
    const key = keyOf(source)
    for (const { path } of source.set.files) {
      const sharing = this.#sources.get(path) ?? new Map<SessionKey, SessionSource>()
      this.#sources.set(path, sharing.set(key, source))
      const modified = state(path)?.modified ?? 0
      if (Date.now() - modified > hotMs) continue
      for (const folder of this.#around(path)) folder.watch?.hot(path)
    }
  }

  #enter(folder: FollowedFolder, { path, folders }: ObservedListing): void {
    const names = new Set(folders)
    if (folder.walked === null) {
      const known = [...folder.folders.keys()].filter((one) => dirname(one) === path && one !== path)
      for (const gone of known) if (!names.has(basename(gone))) this.#lose(folder, gone)
    }
    for (const name of names) {
      const child = join(path, name)
      const isForeign =
        neverEntered.has(name) || isTemporary(name) || (path === this.#options.home && name.startsWith('.'))
      if (isForeign || (folder.walked === null && folder.folders.has(child))) continue
      if (folder.folders.size >= mostFolders) {
        const message = `More than ${mostFolders.toLocaleString('en')} folders: the rest was not read. Open a folder further down.`
        folder.setFault(folder.path, { kind: 'unreadable', message })
        return
      }
      if (folder.walked === null) this.#addScan(folder, child)
      else this.#addWalk(folder, child)
    }
  }

  /** A folder is gone, with all that lay in it. */
  #lose(folder: FollowedFolder, path: string): void {
    folder.forget(path)
    for (const session of this.#parts.updates.sessionsBelow(path)) {
      if (stateOf(session.path) !== undefined) continue
      // What was claimed further up may have other files left.
      const root = this.#sources.get(session.path)?.get(session.key)?.folder
      if (root !== undefined && folder.folders.has(root)) this.#addScan(folder, root, { urgent: true })
      else this.#remove(session)
    }
    if (path === folder.path) {
      folder.state = 'gone'
      folder.watch?.gone(path)
    }
    this.#tell(folder)
  }

  #remove({ key, path }: KnownSession): void {
    this.#parts.updates.remove(key)
    this.#parts.records.delete(key)
    for (const file of this.#sources.get(path)?.get(key)?.set.files ?? []) {
      const sharing = this.#sources.get(file.path)
      sharing?.delete(key)
      if (sharing?.size === 0) this.#sources.delete(file.path)
    }
    this.#named.delete(key)
    this.#options.say.sessionGone(key)
    for (const folder of this.#around(path)) this.#tell(folder)
  }

  #addSession(source: SessionSource, options: TaskOptions = {}): void {
    const [{ path }] = source.set.files
    if (options.urgent !== true)
      for (const folder of this.#around(path)) if (folder.walked !== null) folder.waiting.add(path)
    this.#queue.add(`session ${path}`, () => this.#updateSafely(source), options)
  }

  /** Its sums too: who asked for it asks for them next. */
  async #readNow(source: SessionSource): Promise<void> {
    await this.#updateSafely(source)
    this.#sumUp(source, true)
  }

  /** One file that cannot be read never stops the others. */
  async #updateSafely(source: SessionSource): Promise<void> {
    const [{ path }] = source.set.files
    let fault: { readonly kind: FaultKind; readonly message: string } | null = null
    try {
      await this.#update(source)
    } catch (error) {
      if (this.#controller.signal.aborted) return
      if (isDamage(error)) throw error
      if (!isSystemError(error)) this.#report(error, path)
      const missing = source.set.files.find((file) => stateOf(file.path) === undefined)
      if (missing !== undefined) this.#miss(source, missing.path)
      else fault = unreadable(error)
    } finally {
      for (const folder of this.#around(path)) {
        if (folder.setFault(path, fault)) this.#tell(folder)
        this.#arrive(folder, path)
      }
    }
  }

  /** A file of a session is gone: its folder shows what became of it. */
  #miss(source: SessionSource, missing: string): void {
    const [{ path }] = source.set.files
    const around = this.#around(missing)
    for (const folder of around) this.#look(folder, missing)
    if (around.length === 0 && missing === path) this.#remove({ key: keyOf(source), path })
  }

  /** `shown` is told when the first part of a session that takes long to read is there. */
  async #update(source: SessionSource, shown?: (key: SessionKey) => void): Promise<void> {
    const key = keyOf(source)
    const [{ path }] = source.set.files
    this.#register(source)
    const started = performance.now()
    let chunks = 0
    let next = started + firstPartMs
    const showPart = () => {
      chunks++
      if (chunks < leastChunks || performance.now() < next) return
      this.#sumUp(source, false)
      shown?.(key)
      next = performance.now() + Math.max(leastPartMs, 10 * (this.#costs.get(key) ?? 0))
    }
    const before = this.#parts.updates.progress(key)?.revision
    const { isSummed, revision } = await readSession(this.#parts, source, this.#controller.signal, showPart)
    this.#costs.set(path, performance.now() - started)
    if (isSummed && this.#parts.queries.session(key)?.summary.reading === undefined) {
      this.#keepOpening(source)
      return
    }
    if (this.#isQuick(key)) {
      this.#sumUp(source, true)
      return
    }
    if (revision !== before) this.#options.say.sessionChanged(key, revision)
    const delay = Math.max(leastSumMs, 4 * (this.#costs.get(key) ?? 0))
    this.#queue.add(`sum ${path}`, () => this.#sumUp(source, true), { delay })
  }

  #isQuick(key: SessionKey): boolean {
    const cost = this.#costs.get(key)
    if (cost !== undefined) return cost < quickMs
    return (this.#parts.queries.session(key)?.summary.entries ?? 0) < quickEntries
  }

  #sumUp(source: SessionSource, isWhole: boolean): void {
    const key = keyOf(source)
    const [{ path }] = source.set.files
    const progress = this.#parts.updates.progress(key)
    const before = this.#parts.queries.session(key)
    if (progress === undefined || (progress.isSummed && before?.summary.reading === undefined)) return
    const isNew = before === undefined
    const started = performance.now()
    const revision = sumUp(this.#parts, source, progress, isWhole)
    this.#costs.set(key, performance.now() - started)
    if (revision === undefined) {
      this.#addSession(source)
      return
    }
    this.#options.say.sessionChanged(key, revision)
    if (isNew) for (const folder of this.#around(path)) this.#tell(folder)
    if (isNew) this.#readChildrenAgain(key)
    if (isWhole) this.#keepOpening(source)
  }

  /** What came before its parent says that this was not found. */
  #readChildrenAgain(parent: SessionKey): void {
    for (const { key, path } of this.#parts.updates.readAgain(parent)) {
      const child = this.#sources.get(path)?.get(key)
      if (child !== undefined) this.#addSession(child)
    }
  }

  /** Keeps what a window shows first of a long session: soon where nothing is kept, else once it rests. */
  #keepOpening(source: SessionSource): void {
    const key = keyOf(source)
    const lack = this.#parts.updates.openingLack(key, longEntries)
    if (lack === null) return
    const delay = lack === 'none' ? 0 : openingRestMs
    this.#queue.add(`opening ${key}`, () => keepOpening(this.#parts, source), { delay, afresh: true })
  }

  /** A step of a walk is done; after the last one, what the walk has not come by is gone. */
  #arrive(folder: FollowedFolder, path: string): void {
    const { walked } = folder
    folder.waiting.delete(path)
    if (walked === null || folder.waiting.size > 0) return
    folder.walked = null
    folder.seen = undefined
    for (const root of folder.gathering) this.#addScan(folder, root)
    folder.gathering.clear()
    const took = performance.now() - folder.walkedFrom
    folder.restUntil = took < quickWalkMs ? 0 : performance.now() + Math.min(longestRestMs, 20 * took)
    for (const known of folder.folders.keys()) if (!walked.has(known)) this.#lose(folder, known)
    for (const session of this.#parts.updates.sessionsBelow(folder.path)) {
      if (!walked.has(dirname(session.path)) && stateOf(session.path) === undefined) this.#remove(session)
    }
    if (!folder.folders.has(folder.path)) return
    const isNews = folder.state !== 'ready'
    folder.state = 'ready'
    if (isNews) this.#tell(folder)
  }

  /** Says that a folder has changed; during a walk only now and then. */
  #tell(folder: FollowedFolder): void {
    const now = performance.now()
    if (folder.walked !== null && now - (this.#told.get(folder) ?? 0) < progressMs) return
    this.#told.set(folder, now)
    this.#options.say.folderChanged(folder.path)
  }

  #around(path: string): FollowedFolder[] {
    return [...this.#folders.values()].filter((folder) => folder.holds(path))
  }

  /** How long to wait before the same work is done again, so that a costly one does not fill the time. */
  #pause(path: string): number {
    const cost = this.#costs.get(path) ?? 0
    return cost < quickMs ? 0 : Math.min(longestPauseMs, 4 * cost)
  }

  #report(error: unknown, what: string): void {
    if (this.#controller.signal.aborted) return
    this.#options.log(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    if (!isDamage(error)) return
    this.#options.log('The index is damaged; it is made again when Treeline is started next.')
    condemn(this.#options.db)
  }
}

const unreadable = (error: unknown): { readonly kind: FaultKind; readonly message: string } => ({
  kind: 'unreadable',
  message: `This file cannot be read: ${String(error)}`
})

/** Folders whose names are not UTF-8 are listed by names that none has, U+FFFD standing for what is not. */
function unnameable({ path, folders }: ObservedListing): { readonly kind: FaultKind; readonly message: string } | null {
  const name = folders.find((one) => one.includes('\ufffd') && !existsSync(join(path, one)))
  const what = `The name of the folder ${name} in this one is not valid UTF-8, so it cannot be opened`
  return name === undefined ? null : { kind: 'unreadable', message: `${what}. Rename it to see what lies in it.` }
}

/** Whether a session's files lie in other folders than the one in which it was claimed. */
const isSpread = ({ set, folder }: SessionSource): boolean => set.files.some(({ path }) => dirname(path) !== folder)

/** Watches a session's files, and all folders in which another one of them may come to lie. */
function watchSet(watch: Watch, { set, folder }: SessionSource): void {
  const folders = new Set([folder])
  for (const { path } of set.files) {
    for (let way = dirname(path); !folders.has(way) && way.length > folder.length; way = dirname(way)) folders.add(way)
    watch.hot(path)
  }
  for (const path of folders) watch.folder(path, lstatSync(path).ino)
}

async function listen(watch: Watch | null, act: (path: string | null) => void): Promise<void> {
  if (watch === null) return
  for await (const hint of watch.hints) act(hint.kind === 'path' ? hint.path : null)
}

const isSystemError = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall !== undefined

const closed = (path: string) =>
  new Refusal('disconnected', `Treeline was closed before ${path} was read.`, { file: path })
