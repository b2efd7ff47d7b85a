import type { Configuration } from 'electron-builder'

/** What the packaged program refuses to do, burnt into its binary. */
export const electronFuses = {
  runAsNode: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  grantFileProtocolExtraPrivileges: false,
  enableCookieEncryption: true,
  onlyLoadAppFromAsar: true,
  enableEmbeddedAsarIntegrityValidation: true
} as const satisfies Configuration['electronFuses']

const config = {
  appId: 'app.treeline',
  productName: 'Treeline',
  directories: { output: 'dist', buildResources: 'resources' },
  files: [
    'out/**',
    'resources/**',
    'package.json',
    'LICENSE',
    '!out/built-from',
    '!**/*.map',
    '!resources/icon.{icns,ico}',
    // Electron brings its own Node.
    '!node_modules/node-{linux,win}-*/**',
    '!node_modules/better-sqlite3/{src,deps}/**'
  ],
  asar: true,
  // Native code cannot be loaded from inside the archive.
  asarUnpack: ['node_modules/better-sqlite3/prebuilds/**'],
  npmRebuild: false,
  electronFuses,
  linux: {
    target: ['AppImage', 'tar.gz'],
    icon: 'resources/icons',
    category: 'Development',
    synopsis: 'Opens any folder of coding-agent session files'
  },
  mac: {
    target: ['dmg', 'zip'],
    icon: 'resources/icon.icns',
    category: 'public.app-category.developer-tools',
    hardenedRuntime: true
  },
  win: { target: ['nsis', 'zip'], icon: 'resources/icon.ico' }
} as const satisfies Configuration

export default config
