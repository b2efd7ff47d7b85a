import { type ReactNode, useState } from 'react'
import { StoredImage } from '#renderer/components/stored-image/StoredImage.tsx'
import { useEntryImage } from '#renderer/state/queries.ts'
import type { BlockPlace } from './block-place.ts'

/** The image of an entry's block, on demand. */
export function BlockImage({ session, entry, index, block }: BlockPlace): ReactNode {
  const [wanted, want] = useState(false)
  const image = useEntryImage(session, entry, index, wanted)
  return (
    <StoredImage
      type={block.name}
      bytes={block.bytes}
      alt={`${block.name ?? 'Picture'} in entry ${entry}`}
      url={image.data?.url}
      loading={image.isFetching}
      error={image.error}
      onShow={() => want(true)}
    />
  )
}
