import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Lineage } from './schema.ts'

/** The session file in whose own folder this one lies (omp's sub-agents): the folder's name with `.jsonl`. */
export function enclosingSession(path: string): string | null {
  const file = `${dirname(path)}.jsonl`
  return isFile(file) ? file : null
}

/**
 * What a header's `parentSession` names: a path (looked for as stored, then by its name in this file's folder and in
 * the folder beside it, as sessions get moved) or a session id (looked for by name in this file's folder).
 */
export function resolveParent(path: string, stored: string): Lineage {
  if (!isPath(stored)) {
    const name = names(dirname(path)).find((file) => file.endsWith(`_${stored}.jsonl`))
    return { id: stored, file: name === undefined ? null : join(dirname(path), name), found: name !== undefined }
  }
  const parts = stored.split(/[\\/]/)
  const name = parts.at(-1) ?? ''
  const project = parts.at(-2) ?? ''
  const beside = [join(dirname(path), name), join(dirname(dirname(path)), basename(project), name)]
  const file = [...(isRemote(stored) ? [] : [resolve(dirname(path), stored)]), ...beside].find(isFile)
  return { id: null, file: file ?? stored, found: file !== undefined }
}

/** A path on another machine is never touched: looking for it would send the person's name there. */
function isRemote(path: string): boolean {
  return /^[\\/]{2}/.test(path)
}

function isPath(stored: string): boolean {
  return /[\\/]/.test(stored) || stored.endsWith('.jsonl')
}

/** Looked at, never opened: what a file names may be a device or a pipe. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
