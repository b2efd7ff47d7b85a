import { defineConfig, type OxlintOverride } from 'oxlint'

const belowEngine = ['#shared/**', '#main/formats/*.ts', '#main/tail/**', '#main/platform/**', 'node:*']
const belowShells = ['#shared/**', '#main/engine/**', '#main/platform/**', 'node:*']

/**
 * What the files of a place may import, of the aliased folders and of the packages that have a home. Whatever is not
 * listed here is forbidden there; `./`, `../file.ts` and every other package are free. A later line wins over an earlier one.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'src-shared/**': ['#shared/**'],

  'src-main/platform/**': ['#shared/**', 'node:*'],
  'src-main/platform/sqlite-copy.ts': ['#shared/**', 'node:*', 'better-sqlite3'],
  'src-main/tail/**': ['#shared/**', '#main/platform/**', 'node:*'],
  'src-main/formats/**': belowEngine,
  'src-main/formats/codelia/state-db.ts': [...belowEngine, 'better-sqlite3'],
  'src-main/index/**': ['#shared/**', '#main/platform/**', 'node:*', 'better-sqlite3'],
  'src-main/watch/**': ['#shared/**', '#main/platform/**', 'node:*'],
  'src-main/{context,usage,compaction,write,verify,export}/**': belowEngine,
  'src-main/engine/**': [...belowEngine, '#main/{engine,index,watch,context,usage,compaction,write,verify,export}/**'],
  'src-main/shell-cli/**': [...belowShells, '#main/shell-cli/**'],
  'src-main/shell-browser/**': [...belowShells, 'ws', 'node:http'],
  'src-main/shell-electron/**': [...belowShells, 'electron'],
  'src-main/*.ts': [...belowShells, '#main/{shell-electron,shell-browser,shell-cli}/**'],
  'src-main/electron.ts': [...belowShells, '#main/shell-electron/**', '#main/shell-cli/open/**', 'electron'],
  'src-main/preload.ts': ['electron'],

  'src-renderer/text/**': ['#shared/**'],
  'src-renderer/components/**': ['#shared/**', '#renderer/{components,text,styles}/**', 'react', 'react-dom'],
  'src-renderer/state/**': ['#shared/**', 'react'],
  'src-renderer/containers/**': ['#shared/**', '#renderer/{containers,components,state,text,styles}/**', 'react'],
  'src-renderer/views/**': [
    '#shared/**',
    '#renderer/{containers,components,state,text,styles}/**',
    'react',
    'react-dom'
  ],
  'src-renderer/app/**': [
    '#shared/**',
    '#renderer/{app,views,containers,components,state,text,styles}/**',
    'react',
    'react-dom'
  ],
  'src-renderer/*.{ts,tsx}': ['#shared/**', '#renderer/{app,state,styles}/**', 'react', 'react-dom', 'react-dom/*'],

  'e2e/**': ['#shared/**', '#e2e/**', 'node:*', 'node:http'],

  'src-shared/**/*.test.ts': ['#shared/**', 'node:*'],
  'src-main/**/*.test.ts': [
    '#shared/**',
    '#main/**',
    '#e2e/**',
    'node:*',
    'node:http',
    'ws',
    'better-sqlite3',
    'electron'
  ],
  'src-renderer/**/*.test.{ts,tsx}': [
    '#shared/**',
    '#renderer/**',
    '#e2e/**',
    'node:*',
    'react',
    'react-dom',
    'react-dom/server'
  ]
}

const withHome = [
  'electron',
  'better-sqlite3',
  'ws',
  'node:*',
  'node:http',
  'node:https',
  'react',
  'react-dom',
  'react-dom/*'
]

/** Patterns have the syntax of .gitignore, where a leading `#` would make a comment. */
const escaped = (place: string) => place.replace(/^#/, '\\#')

const direction = ([place, allowed]: readonly [string, readonly string[]]): OxlintOverride => ({
  files: [place],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            group: [
              '\\#*/**',
              ...allowed.filter((name) => name.startsWith('#')).map((name) => `!${escaped(name)}`),
              ...withHome.filter((name) => !allowed.includes(name))
            ],
            message: `${place} may import ${allowed.join(', ')}.`
          },
          { regex: '^\\.\\./[^/]+/', message: 'Across folders import by #main/, #shared/, #renderer/ or #e2e/.' }
        ]
      }
    ]
  }
})

export default defineConfig({
  plugins: ['eslint', 'typescript', 'import', 'react', 'jsx-a11y', 'unicorn', 'oxc', 'promise', 'vitest', 'node'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  env: { builtin: true, browser: true, node: true },
  ignorePatterns: ['out', 'dist', 'test-results', 'playwright-report'],
  rules: {
    'eslint/eqeqeq': ['error', 'always'],
    'eslint/no-eval': 'error',
    'eslint/no-implied-eval': 'error',
    'eslint/no-new-func': 'error',
    'eslint/no-var': 'error',
    'eslint/prefer-const': 'error',
    'eslint/no-console': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-namespace': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/ban-ts-comment': 'error',
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'react/no-danger': 'error',
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'react/react-in-jsx-scope': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'eslint/no-await-in-loop': 'off',
    'eslint/no-underscore-dangle': 'off',
    'unicorn/prefer-set-has': 'off',
    'react/memo-dependencies': 'off',
    'react/incompatible-library': 'off',
    'react/no-array-index-key': 'off',
    'jsx-a11y/no-noninteractive-tabindex': 'off',
    'oxc/no-map-spread': 'off',
    'import/no-named-as-default': 'off',
    'import/no-named-as-default-member': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    // Trees and grids have one tab stop: keys are handled by the container, not by each row.
    'jsx-a11y/click-events-have-key-events': 'off',
    'jsx-a11y/interactive-supports-focus': 'off',
    'vitest/no-conditional-expect': 'off',
    'vitest/no-standalone-expect': 'off',
    'vitest/expect-expect': 'off',
    'vitest/require-to-throw-message': 'off'
  },
  overrides: [
    ...Object.entries(mayImport).map(direction),
    { files: ['**/*.test.{ts,tsx}', 'e2e/**'], rules: { 'typescript/no-non-null-assertion': 'off' } },
    { files: ['*.config.ts', 'electron-builder.ts'], rules: { 'import/no-default-export': 'off' } },
    { files: ['src-main/**', 'tools/**', 'bench/**', 'e2e/**', '*.config.ts'], rules: { 'no-console': 'off' } }
  ]
})
