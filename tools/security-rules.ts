/** Text of files by their path from the project's folder, with `/` between folders. */
export type Files = Readonly<Record<string, string>>

interface Rule {
  readonly what: string
  readonly files: RegExp
  readonly forbidden: RegExp
  /** Files in which it may stand after all. */
  readonly but?: readonly string[]
}

const window = 'src-main/shell-electron/main-window.ts'
const sources = /^src-(?:main|renderer|shared)\/.*\.(?:tsx?|html)$/

const rules: readonly Rule[] = [
  { what: 'loads an address', files: sources, forbidden: /\.load(?:URL|File)\(/, but: [window] },
  {
    what: 'makes a window',
    files: sources,
    forbidden: /\bnew (?:\w+\.)*(?:BrowserWindow|WebContentsView)\b/,
    but: [window]
  },
  { what: 'sets web preferences', files: sources, forbidden: /\bwebPreferences\b/, but: [window] },
  {
    what: 'weakens the page',
    files: sources,
    forbidden:
      /bypassCSP|disable-web-security|enableBlinkFeatures|(?:nodeIntegration\w*|allowRunningInsecureContent|experimentalFeatures|webviewTag): true|(?:contextIsolation|sandbox|webSecurity): false/
  },
  { what: 'holds a webview', files: sources, forbidden: /<webview/ },
  { what: 'answers for a scheme of the system', files: sources, forbidden: /setAsDefaultProtocolClient/ },
  {
    what: 'opens programs',
    files: sources,
    forbidden: /\bopenExternal\(/,
    but: ['src-main/shell-electron/dialogs.ts']
  },
  { what: 'lets other origins read', files: sources, forbidden: /access-control-allow/i },
  { what: 'weakens the policy', files: sources, forbidden: /unsafe-(?:inline|eval|hashes)/ },
  {
    what: 'makes markup or code of text',
    files: sources,
    forbidden:
      /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|srcdoc)\b|document\.write|\beval\(|\bnew Function\b/
  },
  {
    what: 'decides something in an entry that is not tested',
    files: /^src-main\/electron\.ts$/,
    forbidden: /\b(?:if|switch|for|while|try)\b|\?\?|&&|\|\||\s\?\s/
  },
  { what: 'makes code of text in the build', files: /^out\/renderer\/.*\.js$/, forbidden: /\beval\(|\bnew Function\b/ },
  { what: 'has the development policy in the build', files: /^out\//, forbidden: /unsafe-(?:inline|eval)/ },
  {
    what: 'has script or style in the page',
    files: /^out\/renderer\/.*\.html$/,
    forbidden: /<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/
  },
  { what: 'is a source map in the build', files: /^out\/.*\.map$/, forbidden: /^/ },
  {
    what: 'loads more than electron in the preload',
    files: /^out\/preload\//,
    forbidden: /require\((?!"electron"\))|\bimport\b/
  }
]

/** Hosts that stand in the built page as names or in messages of libraries; nothing is fetched from them, nor could it be. */
const namedHosts = new Set([
  'www.w3.org',
  'react.dev',
  'base-ui.com',
  'github.com',
  'developer.mozilla.org',
  'floating-ui.com'
])

/** Everything in these files that the rules forbid, one line each. */
export function securityProblems(files: Files): string[] {
  const entries = Object.entries(files)
  return entries.flatMap(([path, text]) => [
    ...rules.filter((rule) => breaks(rule, path, text)).map(({ what }) => `${path} ${what}`),
    ...(path.startsWith('out/renderer/') ? foreignHosts(text).map((host) => `${path} names the host ${host}`) : []),
    ...(/^src-main\/\w+\.ts$/.test(path) && text.split('\n').length > 41 ? [`${path} is longer than 40 lines`] : [])
  ])
}

const breaks = ({ files, forbidden, but = [] }: Rule, path: string, text: string) =>
  files.test(path) && !but.includes(path) && forbidden.test(text)

function foreignHosts(text: string): string[] {
  const hosts = [...text.matchAll(/https?:\/\/([\w-]+(?:\.[\w-]+)+)/g)].map((match) => match[1] ?? '')
  return [...new Set(hosts)].filter((host) => !namedHosts.has(host))
}

/** The newest major of Electron that we know, and when its makers stop mending it: three majors later, eight weeks each. */
const electronSupport = { major: 45, until: '2027-04-07' }

/** What is wrong with the pin of Electron on a day. */
export function electronProblems(pinned: string | undefined, today: Date): string[] {
  const major = /^(\d+)\.\d+\.\d+$/.exec(pinned ?? '')?.[1]
  if (major === undefined) return [`electron is pinned as "${pinned}", which is not one exact version`]
  if (Number(major) < electronSupport.major) return [`electron ${pinned} is older than ${electronSupport.major}`]
  const over = today > new Date(electronSupport.until) && Number(major) === electronSupport.major
  return over ? [`electron ${pinned} is no longer mended since ${electronSupport.until}`] : []
}
