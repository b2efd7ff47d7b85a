import type { Format } from '#main/formats/format.ts'
import type { Offer } from '#shared/contract/folder.ts'
import { realFolder, type FolderKeys } from './folder-keys.ts'
import type { EngineOptions } from './types.ts'

/** Well-known places that exist, each once, and the samples last. Nothing in them is read. */
export async function findOffers(
  { env, home, samples }: Pick<EngineOptions, 'env' | 'home' | 'samples'>,
  formats: readonly Format[],
  keys: FolderKeys
): Promise<Offer[]> {
  const places = formats.flatMap((format) => format.locate(env, home)).map((place) => ({ ...place, sample: false }))
  if (samples !== null) places.push({ path: samples, label: 'Sample sessions', sample: true })
  const offers = new Map<string, Offer>()
  for (const { path, label, sample } of places) {
    const real = await realFolder(path).catch(() => undefined)
    if (real !== undefined && !offers.has(real)) offers.set(real, { key: keys.add(real), path: real, label, sample })
  }
  return [...offers.values()]
}
