import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      sourcemap: false,
      rollupOptions: {
        input: {
          electron: 'src-main/electron.ts',
          browser: 'src-main/browser.ts',
          worker: 'src-main/worker.ts',
          cli: 'src-main/cli.ts',
          'formats/codelia/api': 'src-main/formats/codelia/api.ts',
          'formats/dsh/api': 'src-main/formats/dsh/api.ts',
          'formats/omp/api': 'src-main/formats/omp/api.ts',
          'formats/shell-agent/api': 'src-main/formats/shell-agent/api.ts'
        },
        output: { format: 'es', entryFileNames: '[name].js' }
      }
    }
  },
  preload: {
    build: {
      outDir: 'out/preload',
      sourcemap: false,
      rollupOptions: {
        input: { preload: 'src-main/preload.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' }
      }
    }
  },
  renderer: {
    root: 'src-renderer',
    plugins: [react()],
    // Grammars are loaded by the worker when they are needed.
    worker: { format: 'es' },
    build: {
      outDir: 'out/renderer',
      sourcemap: false,
      // `font-src` and `img-src` of the page allow its own files; nothing is inlined as a data URL.
      assetsInlineLimit: 0,
      // All styles are there before anything is drawn, in one order, whichever views have been loaded.
      cssCodeSplit: false,
      minify: true,
      rollupOptions: { input: 'src-renderer/index.html' }
    }
  }
})
