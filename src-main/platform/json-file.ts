import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, realpath, rename, unlink } from 'node:fs/promises'
import { dirname, parse } from 'node:path'
import * as v from 'valibot'
import { Refusal } from '#shared/contract/refusal.ts'

/** A small JSON file of our own. */
export interface JsonFile<T> {
  /** What the file says; the defaults where there is none or it makes no sense. */
  read(): Promise<T>
  /** Reads the file anew, changes what it says and writes it whole, one change after the other. Refused as `read-only`. */
  change(by: (before: T) => T): Promise<T>
  /** Why the file was set aside or could not be read, in words; null where all is well. */
  problem(): string | null
  /** Resolves when all changes are on disk. */
  idle(): Promise<void>
}

/**
 * Opens a JSON file of this schema, which gives the defaults for `{}`. A file that does not fit is renamed and stays
 * beside. Without a path all is kept in memory.
 */
export function jsonFile<S extends v.GenericSchema>(path: string | null, schema: S): JsonFile<v.InferOutput<S>> {
  type T = v.InferOutput<S>
  let memory: T = v.parse(schema, {})
  let problem: string | null = null
  let last: Promise<unknown> = Promise.resolve()

  const read = async (): Promise<T> => {
    if (path === null) return memory
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined
      throw new Refusal('read-only', `${path} cannot be read: ${String(error)}`, { file: path })
    })
    if (text === undefined) return v.parse(schema, {})
    const outcome = parsed(schema, text)
    if ('value' in outcome) return outcome.value
    const aside = await setAside(path)
    problem = `${path} was not as Treeline writes it (${outcome.why}). It is kept as ${aside}; the defaults hold.`
    return v.parse(schema, {})
  }
  const inTurn = <R>(step: () => Promise<R>): Promise<R> => {
    const next = last.then(step)
    last = next.catch(() => undefined)
    return next
  }
  return {
    read: () =>
      inTurn(read).catch((error: unknown) => {
        problem = error instanceof Error ? error.message : String(error)
        return v.parse(schema, {})
      }),
    change: (by) =>
      inTurn(async () => {
        const after = v.parse(schema, by(await read()))
        if (path === null) memory = after
        else await replaceFile(path, `${JSON.stringify(after, null, 2)}\n`)
        return after
      }),
    problem: () => problem,
    async idle() {
      await last
    }
  }
}

function parsed<S extends v.GenericSchema>(
  schema: S,
  text: string
): { readonly value: v.InferOutput<S> } | { readonly why: string } {
  try {
    const json: unknown = JSON.parse(text)
    if (Array.isArray(json)) throw new Error('a list where an object belongs')
    return { value: v.parse(schema, json) }
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) }
  }
}

async function setAside(path: string): Promise<string> {
  const { dir, name, ext } = parse(path)
  const aside = `${dir}/${name}.bad-${new Date().toISOString().replaceAll(/[:.]/g, '-')}${ext}`
  await rename(path, aside)
  return aside
}

/** A temporary file beside it, on disk, then its name. A link stays one: what it leads to is replaced. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, await realpath(path).catch(() => path))
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw new Refusal('read-only', `${path} cannot be written: ${String(error)}`, { file: path })
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
