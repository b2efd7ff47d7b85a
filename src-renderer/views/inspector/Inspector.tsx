import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { EntryDetail } from '#shared/contract/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { CopyButton } from '#renderer/components/copy-button/CopyButton.tsx'
import { arriveAtContent, entryContentId } from '#renderer/components/entry-content/entry-content.ts'
import { FaultText } from '#renderer/components/fault/FaultText.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useEntryDetail, useOutline, useSession, useSessionFiles } from '#renderer/state/queries.ts'
import { useChangeView, useSelectedEntry } from '#renderer/state/selection.ts'
import { useApp } from '#renderer/state/store.ts'
import { useIsDrawn } from '#renderer/state/use-is-drawn.ts'
import { formatCount } from '#renderer/text/numbers.ts'
import { shortPaths } from '#renderer/text/paths.ts'
import { nothingToShow } from '#renderer/text/tree-rows.ts'
import { speakerOf } from '#renderer/text/speakers.ts'
import { BlockView } from './BlockView.tsx'
import { Facts } from './Facts.tsx'
import css from './Inspector.module.css'
import { Lineage } from './Lineage.tsx'

const refusalId = 'branch-refusal'

/** Everything about the selected entry. */
export function Inspector({ session }: { readonly session: SessionKey }): ReactNode {
  const isGone = useSession(session).error !== null
  const outline = useOutline(session)
  const entry = useSelectedEntry()
  const detail = useEntryDetail(session, useIsDrawn(session) ? entry : null)
  // The session's own view says why there is nothing to look at.
  if (isGone || outline.error !== null) return null
  if (detail.error !== null) return <FailureNotice error={detail.error} />
  if (outline.data !== undefined && entry === null) return <Notice title={nothingToShow(outline.data.ids.length)} />
  if (detail.data === undefined) return <Notice kind="busy" title="Reading the entry" />
  return <EntryParts key={detail.data.entry.id} session={session} detail={detail.data} />
}

function EntryParts({ session, detail }: { readonly session: SessionKey; readonly detail: EntryDetail }): ReactNode {
  const { entry } = detail
  const file = useOtherFile(session, entry.file)
  const { name, tone } = speakerOf(entry.kind, entry.role, entry.tool)
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (content.current !== null) arriveAtContent(content.current)
  }, [])
  return (
    <article className={css.inspector} aria-label="Selected entry">
      <header className={css.head}>
        <p className={css.who}>
          <strong className={css.speaker} data-tone={tone}>
            {name}
          </strong>
          <code className={css.id}>
            {entry.id}
            {entry.line !== null && ` · ${file === null ? '' : `${file} `}line ${formatCount(entry.line)}`}
          </code>
          <CopyButton look="link" className={css.copy} text={entry.id} title="Copy the entry’s id (C)">
            Copy id
          </CopyButton>
          {entry.label !== null && <span className={css.label}>{entry.label}</span>}
        </p>
        <EntryActions session={session} detail={detail} />
        {detail.branch.kind === 'refused' && (
          <p id={refusalId} className={css.refused}>
            No branch from here: {detail.branch.reason}
          </p>
        )}
      </header>
      <div
        ref={content}
        id={entryContentId}
        data-entry={entry.id}
        className={css.body}
        tabIndex={0}
        role="region"
        aria-label="Content of the entry"
      >
        {detail.blocks.map((block, index) => (
          <BlockView
            key={index}
            session={session}
            entry={entry.id}
            index={index}
            block={block}
            isToolOutput={tone === 'tool'}
          />
        ))}
        {detail.blocks.length === 0 && entry.summary !== '' && (
          <p className={css.summary} dir="auto">
            {entry.summary}
          </p>
        )}
        {detail.faults.length > 0 && (
          <section className={css.section}>
            <h3>Faults of this entry</h3>
            {detail.faults.map((fault, index) => (
              <FaultText key={index} fault={fault} />
            ))}
          </section>
        )}
        <Facts detail={detail} />
        <Lineage session={session} detail={detail} />
      </div>
    </article>
  )
}

/** Name of a file of the session beside its main one; null for that one. */
function useOtherFile(session: SessionKey, file: number): string | null {
  const files = useSessionFiles(session).data
  if (file === 0 || files === undefined) return null
  return shortPaths(files.map(({ path }) => path))[file] ?? null
}

function EntryActions({ session, detail }: { readonly session: SessionKey; readonly detail: EntryDetail }): ReactNode {
  const openDialog = useApp((state) => state.openDialog)
  const changeView = useChangeView()
  const { id, line, file } = detail.entry
  const { branch } = detail
  return (
    <div className={css.actions}>
      <Button
        look={branch.kind === 'refused' ? 'refused' : 'primary'}
        title={`${branchHint(branch)} (B)`}
        aria-describedby={branch.kind === 'refused' ? refusalId : undefined}
        onClick={() => openDialog({ kind: 'branch', session, entry: id })}
      >
        Branch from here
      </Button>
      <Button
        title="Export the path to this entry (E)"
        onClick={() => openDialog({ kind: 'export', session, entry: id })}
      >
        Export path
      </Button>
      <Button
        title={detail.append.label ?? 'Label this entry (L)'}
        disabled={detail.append.label !== null}
        onClick={() => openDialog({ kind: 'label', session, entry: id })}
      >
        Label
      </Button>
      {line !== null && (
        <Button
          title={`Show line ${formatCount(line)} of the file`}
          onClick={() => changeView({ tab: 'raw', file, line })}
        >
          Raw
        </Button>
      )}
    </div>
  )
}

function branchHint(branch: EntryDetail['branch']): string {
  if (branch.kind === 'allowed') return 'Write a new session that ends here'
  return branch.nearest.length === 0 ? 'Why there can be no branch' : 'The nearest entries where it could be'
}
