/** The one style of an exported page, in the light or dark that the reader's system asks for. */
export const style = `
:root { color-scheme: light dark; --ground: #fbfbfa; --raised: #fff; --line: #e3e2de; --ink: #1d1d1b; --soft: #5c5b57;
  --user: #2f5fd0; --assistant: #0b6e5f; --tool: #8a6d1c; --branch: #b04a12 }
@media (prefers-color-scheme: dark) {
  :root { --ground: #161715; --raised: #222321; --line: #33342f; --ink: #e9e8e4; --soft: #aaa9a2;
    --user: #8aaaf5; --assistant: #5fd0bb; --tool: #d9b75a; --branch: #f0935a }
}
body { margin: 0; background: var(--ground); color: var(--ink); font: 14px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 24px }
h1 { font-size: 20px; overflow-wrap: anywhere }
h2 { font-size: 16px; margin: 32px 0 8px }
h3 { font-size: 14px; margin: 0 }
article { margin: 12px 0; padding: 12px 16px; background: var(--raised); border: 1px solid var(--line);
  border-left: 3px solid var(--soft); border-radius: 6px; content-visibility: auto; contain-intrinsic-size: auto 160px }
article.user { border-left-color: var(--user) } article.user h3 { color: var(--user) }
article.assistant { border-left-color: var(--assistant) } article.assistant h3 { color: var(--assistant) }
article.tool { border-left-color: var(--tool) } article.tool h3 { color: var(--tool) }
pre, code { font: 13px/1.45 ui-monospace, monospace }
pre { margin: 8px 0; white-space: pre-wrap; overflow-wrap: anywhere }
pre.said { font: inherit }
details { margin: 8px 0; border: 1px solid var(--line); border-radius: 6px; padding: 4px 12px }
summary, .place, .image, figcaption, dl { color: var(--soft) }
.place { margin: 0; font-size: 12px; overflow-wrap: anywhere }
dl { margin: 8px 0 0; font-size: 12px } dl div { display: flex; gap: 8px }
dt { min-width: 9rem } dt::after { content: ":" } dd { margin: 0; overflow-wrap: anywhere; min-width: 0 }
.branches { color: var(--branch); overflow-wrap: anywhere }
figure { margin: 8px 0 } img { max-width: 100% }
`
