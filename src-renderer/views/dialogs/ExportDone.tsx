import { type ReactNode, useCallback, useRef } from 'react'
import { CopyButton } from '#renderer/components/copy-button/CopyButton.tsx'
import { Modal } from '#renderer/components/modal/Modal.tsx'
import type { Output } from '#renderer/state/client.ts'
import { useApp } from '#renderer/state/store.ts'
import { formatCount, plural } from '#renderer/text/numbers.ts'
import { Table } from './Table.tsx'
import { WrittenActions } from './WrittenActions.tsx'
import css from './dialogs.module.css'

interface ExportDoneProps {
  readonly done: Pick<Output<'export.write'>, 'result' | 'written'>
  /** Path of the download below the page's own origin; null where the file lies in a folder. */
  readonly download: string | null
  readonly name: string
}

export function ExportDone({ done, download, name }: ExportDoneProps): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  const started = useRef(false)
  // The dialog's content is mounted after its effects have run: the link itself says when it is there.
  const start = useCallback((link: HTMLAnchorElement | null) => {
    if (link === null || started.current) return
    started.current = true
    link.click()
  }, [])
  const { result, written } = done
  const lineFeeds = result.addedLineFeeds > 0 ? [['Added line feeds', formatCount(result.addedLineFeeds)] as const] : []
  const redacted =
    result.redacted === null
      ? []
      : [['Redacted', `${plural(sumOf(result.redacted), 'likely secret')}; not a session to resume`] as const]
  return (
    <Modal
      title="The export is written"
      closeLabel="Done"
      onClose={closeDialog}
      actions={<CopyButton text={result.sha256}>Copy sha256</CopyButton>}
    >
      <Table
        rows={[
          ['sha256', result.sha256],
          ['Size', `${formatCount(result.bytes)} bytes, ${plural(result.entries, 'entry', 'entries')}`],
          ['From', `${result.source.file}, ${plural(result.source.ranges.length, 'byte range')}`],
          ...lineFeeds,
          ...redacted,
          ['File', download === null ? result.out : `${name}, downloaded`]
        ]}
      />
      {download === null ? (
        <WrittenActions written={written} path={result.out} />
      ) : (
        <p className={css.note}>
          <a ref={start} className={css.link} href={download} download={name}>
            The download begins by itself; this link holds it once.
          </a>
        </p>
      )}
    </Modal>
  )
}

const sumOf = (secrets: readonly { readonly count: number }[]) => secrets.reduce((sum, { count }) => sum + count, 0)
