import type { ReactNode } from 'react'
import type { BranchPreview } from '#shared/contract/branch.ts'
import { formatBytes, formatTokens, plural } from '#renderer/text/numbers.ts'
import { Table } from './Table.tsx'
import css from './dialogs.module.css'

/** What a branch would be: its file, what goes in, and what the agent will see. */
export function BranchPlan({ preview }: { readonly preview: BranchPreview }): ReactNode {
  const { result, messages, messageCount, lines, lineCount } = preview
  const isNew = result.mode !== 'in-place'
  const bytes = result.written.reduce((sum, part) => sum + part.bytes, 0)
  return (
    <>
      <Table
        rows={[
          isNew ? ['New file', result.file] : ['At the end of', result.file],
          ['Goes in', `${plural(result.entries, 'entry', 'entries')}, ${formatBytes(bytes)}`],
          ['The agent will see', `${plural(messageCount, 'message')}, about ${formatTokens(result.tokens)} tokens`],
          ...(result.written.length > 1 ? [['With it', plural(result.written.length - 1, 'file')] as const] : []),
          ['Resume with', result.resume],
          ...(result.unverified === undefined ? [] : [['Unverified', result.unverified] as const])
        ]}
      />
      <p className={css.note}>
        {isNew ? 'The session it comes from is not changed.' : 'Nothing that is in the file changes.'}
        {result.addedLineFeeds > 0 && ' Its last line has no line feed, so one is written first.'}
        {result.openElsewhere === null && ' Whether an agent has it open cannot be known on this system.'}
      </p>
      <section className={css.section}>
        <h3>
          What the agent will see
          {messages.length < messageCount && ` (the first and last ${messages.length} of ${messageCount} messages)`}
        </h3>
        {messageCount === 0 && <p className={css.note}>Nothing: it begins with an empty conversation.</p>}
        <ol className={css.messages}>
          {messages.map((message, index) => (
            <li key={index} className={css.message}>
              <span className={css.role}>{message.role}</span>
              <span className={css.cut}>{message.preview}</span>
              <span className={css.count}>{formatTokens(message.tokens)}</span>
            </li>
          ))}
        </ol>
      </section>
      <details>
        <summary>
          {plural(lineCount, 'line')} to be written
          {lines.length < lineCount && `, ${lines.length} of them shown`}
        </summary>
        <pre className={css.lines} tabIndex={0}>
          {lines.join('\n')}
        </pre>
      </details>
    </>
  )
}
