import { basename } from 'node:path'
import type { Format } from '#main/formats/format.ts'
import type { Offer } from '#shared/contract/folder.ts'
import { realFolder, type FolderKeys } from './folder-keys.ts'
import type { EngineOptions } from './types.ts'

/** Folders opened before, well-known places and the samples, in this order, as far as they exist, each once. Nothing in them is read. */
export async function findOffers(
  { env, home, samples }: Pick<EngineOptions, 'env' | 'home' | 'samples'>,
  formats: readonly Format[],
  keys: FolderKeys,
  recent: readonly string[]
): Promise<Offer[]> {
  const places = formats.flatMap((format) => format.locate(env, home)).map((place) => ({ ...place, sample: false }))
  if (samples !== null) places.push({ path: samples, label: 'Sample sessions', sample: true })
  const offers = new Map<string, Offer>()
  for (const { path, label, sample } of places) {
    const real = await realFolder(path).catch(() => undefined)
    if (real === undefined || offers.has(real)) continue
    offers.set(real, { key: keys.add(real), path: real, label, sample, recent: false })
  }
  const before: Offer[] = []
  for (const path of recent) {
    const real = await realFolder(path).catch(() => undefined)
    if (real === undefined || before.some((offer) => offer.path === real)) continue
    const known = offers.get(real) ?? { key: keys.add(real), path: real, label: basename(real), sample: false }
    before.push({ ...known, recent: true })
    offers.delete(real)
  }
  return [...before, ...offers.values()]
}
