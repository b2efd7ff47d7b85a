import { stat } from 'node:fs/promises'

/** False for what does not exist, too: opening it as a file says so. */
export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true
