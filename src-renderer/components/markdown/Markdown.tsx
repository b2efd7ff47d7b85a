import type { Token } from 'markdown-it'
import { createElement, Fragment, memo, type ReactNode, useMemo } from 'react'
import { CodeBlock } from '#renderer/components/code/CodeBlock.tsx'
import css from './Markdown.module.css'
import { markdownParts } from './markdown-parts.ts'
import { parseMarkdown } from './parse-markdown.ts'

interface MarkdownProps {
  readonly text: string
  /** A link was chosen; nothing is opened by itself. */
  readonly onLink: (address: string) => void
}

/** Somebody else's markdown: headings, lists, tables and code; its HTML is text, its images are links, its links only tell their address. */
export function Markdown({ text, onLink }: MarkdownProps): ReactNode {
  const parts = useMemo(() => markdownParts(text), [text])
  return (
    <div className={css.markdown}>
      {parts.map((part, index) => (
        <MarkdownPart key={index} text={part} onLink={onLink} />
      ))}
    </div>
  )
}

const MarkdownPart = memo(function MarkdownPart({ text, onLink }: MarkdownProps): ReactNode {
  const content = useMemo(() => {
    const tokens = parseMarkdown(text)
    return tokens === null ? null : elementsOf(tokens, { onLink, heading: 2 })
  }, [text, onLink])
  return content ?? <p className={css.plain}>{text}</p>
})

interface Setting {
  readonly onLink: (address: string) => void
  /** Level of the heading above, so that none is left out on the way down. */
  heading: number
}

interface Open {
  readonly token: Token | null
  readonly children: ReactNode[]
}

/** Never recursive over blocks; one level down for the text in a block. */
function elementsOf(tokens: readonly Token[], setting: Setting): ReactNode[] {
  const root: Open = { token: null, children: [] }
  const stack: Open[] = [root]
  for (const token of tokens) {
    const above = stack.at(-1) ?? root
    if (token.nesting === 1) stack.push({ token, children: [] })
    else if (token.nesting === 0) above.children.push(leafOf(token, setting))
    else if (above.token !== null) {
      stack.pop()
      stack.at(-1)?.children.push(elementOf(above.token, above.children, setting))
    }
  }
  return root.children.map((child, index) => <Fragment key={index}>{child}</Fragment>)
}

function leafOf(token: Token, setting: Setting): ReactNode {
  switch (token.type) {
    case 'inline':
      return elementsOf(token.children ?? [], setting)
    case 'code_inline':
      return <code className={css.code}>{token.content}</code>
    case 'code_block':
      return <CodeBlock code={withoutLastLineEnd(token.content)} />
    case 'fence':
      return <CodeBlock code={withoutLastLineEnd(token.content)} info={token.info.trim()} />
    case 'softbreak':
    case 'hardbreak':
      return <br />
    case 'hr':
      return <hr className={css.rule} />
    case 'image': {
      const address = attribute(token, 'src')
      return (
        <LinkTo address={address} onLink={setting.onLink}>
          Image{token.content === '' ? '' : `: ${token.content}`} ({shortened(address)})
        </LinkTo>
      )
    }
    default:
      return token.content
  }
}

function elementOf(token: Token, children: readonly ReactNode[], setting: Setting): ReactNode {
  switch (token.type) {
    case 'paragraph_open':
      return token.hidden ? <>{...children}</> : <p dir="auto">{...children}</p>
    case 'heading_open': {
      setting.heading = Math.min(Number(token.tag.slice(1)) + 2, setting.heading + 1, 6)
      return createElement(`h${setting.heading}`, { 'data-level': token.tag, dir: 'auto' }, ...children)
    }
    case 'blockquote_open':
      return <blockquote>{...children}</blockquote>
    case 'bullet_list_open':
      return <ul dir="auto">{...children}</ul>
    case 'ordered_list_open':
      return (
        <ol dir="auto" start={Number(attribute(token, 'start') || 1)}>
          {...children}
        </ol>
      )
    case 'list_item_open':
      return <li>{...children}</li>
    case 'table_open':
      return (
        <div className={css.table} tabIndex={0} role="group" aria-label="Table">
          <table>{...children}</table>
        </div>
      )
    case 'thead_open':
      return <thead>{...children}</thead>
    case 'tbody_open':
      return <tbody>{...children}</tbody>
    case 'tr_open':
      return <tr>{...children}</tr>
    case 'th_open':
    case 'td_open': {
      const align = /text-align:(\w+)/.exec(attribute(token, 'style'))?.[1]
      // A head without words is none for those who hear it.
      const isHead = token.type === 'th_open' && children.length > 0
      return createElement(
        isHead ? 'th' : 'td',
        { 'data-align': align, dir: 'auto', scope: isHead ? 'col' : undefined },
        ...children
      )
    }
    case 'strong_open':
      return <strong>{...children}</strong>
    case 'em_open':
      return <em>{...children}</em>
    case 's_open':
      return <s>{...children}</s>
    case 'link_open':
      return (
        <LinkTo address={attribute(token, 'href')} onLink={setting.onLink}>
          {...children}
        </LinkTo>
      )
    default:
      return <>{...children}</>
  }
}

function LinkTo(props: {
  readonly address: string
  readonly onLink: (address: string) => void
  readonly children: ReactNode
}): ReactNode {
  return (
    <button
      type="button"
      className={css.link}
      title={shortened(props.address)}
      onClick={() => props.onLink(props.address)}
    >
      {props.children}
    </button>
  )
}

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '')

const withoutLastLineEnd = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)

const shortened = (address: string): string => (address.length > 120 ? `${address.slice(0, 119)}…` : address)
