/** Names that people write behind a fence, and the grammar that is meant. */
const names: Readonly<Record<string, string>> = {
  'c++': 'cpp',
  cc: 'cpp',
  console: 'bash',
  cs: 'csharp',
  cts: 'typescript',
  dockerfile: 'docker',
  golang: 'go',
  h: 'c',
  hpp: 'cpp',
  htm: 'html',
  js: 'javascript',
  json5: 'json',
  jsonc: 'json',
  jsonl: 'json',
  kt: 'kotlin',
  makefile: 'make',
  md: 'markdown',
  mjs: 'javascript',
  mts: 'typescript',
  patch: 'diff',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  svg: 'xml',
  ts: 'typescript',
  yml: 'yaml',
  zsh: 'bash'
}

/** The grammar that the first word behind a fence asks for; it may be none that is known. */
export function languageName(info: string): string {
  const word = /^[\w+#-]{1,30}/.exec(info.trim().toLowerCase())?.[0] ?? ''
  return Object.hasOwn(names, word) ? (names[word] ?? word) : word
}
