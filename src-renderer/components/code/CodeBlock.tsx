import { Fragment, type ReactNode, type UIEvent, useEffect, useRef, useState } from 'react'
import { CopyButton } from '#renderer/components/copy-button/CopyButton.tsx'
import css from './CodeBlock.module.css'
import { highlight } from './highlight.ts'
import type { Highlighted } from './highlighting.ts'
import { languageName } from './language-name.ts'

interface CodeBlockProps {
  readonly code: string
  /** What stood behind the fence. */
  readonly info?: string
}

/** Code with its colours, once it is in view. */
export function CodeBlock({ code, info = '' }: CodeBlockProps): ReactNode {
  const block = useRef<HTMLDivElement>(null)
  const lines = useHighlighted(block, code, languageName(info))
  const [coloured, colour] = useState(linesAhead)
  const onScroll = ({ currentTarget: { scrollTop, scrollHeight } }: UIEvent<HTMLElement>) => {
    const seen = lines === null ? 0 : Math.ceil((scrollTop / scrollHeight) * lines.length)
    if (seen + linesAhead / 2 > coloured) colour(seen + linesAhead)
  }
  return (
    <div ref={block} className={css.block}>
      <div className={css.head}>
        <span className={css.info}>{info.slice(0, 80)}</span>
        <CopyButton look="quiet" text={code}>
          Copy
        </CopyButton>
      </div>
      <pre
        className={css.code}
        tabIndex={0}
        aria-label={info === '' ? 'Code' : `Code, ${info.slice(0, 80)}`}
        role="group"
        onScroll={onScroll}
      >
        <code>{lines === null ? code : pieces(lines, coloured)}</code>
      </pre>
    </div>
  )
}

/** A code block shows fewer lines than this at a time; those below have their colours once it is scrolled. */
const linesAhead = 80

function pieces(lines: Highlighted, coloured: number): ReactNode {
  const rest = lines.slice(coloured).map((line) => line.map(([text]) => text).join(''))
  return (
    <>
      {lines.slice(0, coloured).map((line, number) => (
        <Fragment key={number}>
          {number > 0 && '\n'}
          {line.map(([text, kind], index) =>
            kind === null ? (
              text
            ) : (
              <span key={index} data-kind={kind}>
                {text}
              </span>
            )
          )}
        </Fragment>
      ))}
      {rest.length > 0 && `\n${rest.join('\n')}`}
    </>
  )
}

function useHighlighted(
  block: { readonly current: HTMLElement | null },
  code: string,
  language: string
): Highlighted | null {
  const [lines, setLines] = useState<Highlighted | null>(null)
  useEffect(() => {
    const element = block.current
    if (element === null || language === '') return
    let asked: AbortController | undefined
    const ask = async (signal: AbortSignal) => {
      const found = await highlight(code, language, signal)
      if (!signal.aborted) setLines(found)
    }
    const observer = new IntersectionObserver(([entry]) => {
      asked?.abort()
      if (entry?.isIntersecting !== true) return
      asked = new AbortController()
      void ask(asked.signal)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      asked?.abort()
      setLines(null)
    }
  }, [block, code, language])
  return lines
}
