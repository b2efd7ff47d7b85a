import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import {
  type CodeKind,
  type CodePiece,
  codeKinds,
  type Highlighted,
  type HighlightReply,
  type HighlightRequest
} from './highlighting.ts'
import { grammars } from './languages.ts'

const theme = createCssVariablesTheme({ name: 'kinds', variablePrefix: '--kind-' })
const highlighter = createHighlighterCore({
  themes: [theme],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true })
})

addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  void linesOf(data).then(
    (lines) => answer({ id: data.id, lines }),
    () => answer({ id: data.id, lines: null })
  )
})

const answer = (reply: HighlightReply) => postMessage(reply, { transfer: [] })

async function linesOf({ code, language }: HighlightRequest): Promise<Highlighted | null> {
  const grammar = Object.hasOwn(grammars, language) ? grammars[language] : undefined
  if (grammar === undefined) return null
  const shiki = await highlighter
  await shiki.loadLanguage(grammar)
  // The first line compiles the grammar, which no limit for a line may cut short; the page ends what takes too long.
  const limits = { tokenizeTimeLimit: 0, tokenizeMaxLineLength: 2000 }
  const { tokens } = shiki.codeToTokens(code, { lang: language, theme: 'kinds', ...limits })
  return tokens.map((line) => joined(line.map(({ content, color }) => [content, kindOf(color)])))
}

/** Neighbours of one kind as one piece. */
function joined(pieces: readonly CodePiece[]): CodePiece[] {
  const runs: CodePiece[] = []
  for (const [text, kind] of pieces) {
    const last = runs.at(-1)
    if (last !== undefined && last[1] === kind) runs[runs.length - 1] = [last[0] + text, kind]
    else runs.push([text, kind])
  }
  return runs
}

/** The theme gives each token a variable by its kind instead of a colour. */
function kindOf(color: string | undefined): CodeKind | null {
  const name = /^var\(--kind-token-([a-z]+)/.exec(color ?? '')?.[1]
  return codeKinds.find((kind) => kind === name) ?? null
}
