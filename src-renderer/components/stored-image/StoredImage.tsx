import type { ReactNode } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { failureOf } from '#renderer/text/failures.ts'
import { formatBytes } from '#renderer/text/numbers.ts'
import css from './StoredImage.module.css'

interface StoredImageProps {
  /** The image's MIME type, null where it is unknown. */
  readonly type: string | null
  readonly bytes: number | null
  readonly alt: string
  readonly url: string | undefined
  readonly loading: boolean
  readonly error: Error | null
  readonly onShow: () => void
}

/** An image that a session holds, shown when the person asks for it. */
export function StoredImage({ type, bytes, alt, url, loading, error, onShow }: StoredImageProps): ReactNode {
  if (url !== undefined) return <img className={css.image} src={url} alt={alt} />
  return (
    <div>
      <p className={css.caption}>
        Image · {type ?? 'type unknown'} · {bytes === null ? 'size unknown' : formatBytes(bytes)}
        <Button look="link" disabled={loading} onClick={onShow}>
          {loading ? 'Reading' : 'Show'}
        </Button>
      </p>
      {error !== null && <p className={css.failed}>{failureOf(error).message}</p>}
    </div>
  )
}
