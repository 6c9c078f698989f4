import fs from 'node:fs'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { contractNames } from './config/contract-names'
import { version } from './package.json'
import { bundledPackages, modulesOfWorkers } from './scripts/vite/bundled-packages.mjs'

const here = (relative: string) => path.resolve(import.meta.dirname, relative)

/** KaTeX names each font in three formats, and Chromium takes the first: the others would be megabytes for nothing. */
const firstFonts = {
  name: 'first-fonts',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    /katex.*\.css$/.test(id)
      ? code.replace(/,url\([^)]*\) format\("(?:woff|truetype)"\)/g, '')
      : undefined,
}

/**
 * zod compiles its checks with `new Function`, which the page's policy refuses and logs. It tries as soon as a schema is
 * used, which some modules do while they are loaded: too early for `z.config` to say no.
 */
const zodWithoutCompiling = {
  name: 'zod-without-compiling',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    /zod\/v4\/core\/core\.js/.test(id)
      ? code.replace('__zod_globalConfig = {}', '__zod_globalConfig = { jitless: true }')
      : undefined,
}

/** pdf.js's tables of characters, for PDFs that do not bring theirs, as many in Chinese, Japanese and Korean; with their licence. */
const characterMaps = {
  name: 'character-maps',
  generateBundle(this: { emitFile(file: object): unknown }) {
    const folder = here('node_modules/pdfjs-dist/cmaps')
    for (const name of fs.readdirSync(folder)) {
      const source = fs.readFileSync(path.join(folder, name))
      this.emitFile({ type: 'asset', fileName: `character-maps/${name}`, source })
    }
  },
}

/** Without comments and spaces, which take time to be read at each start; names stay, for reports of errors. */
const smaller = { compress: { target: 'es2022' }, mangle: false, codegen: true } as const

/** Modules of the page's workers, which Vite bundles apart, before the page. */
const ofWorkers = new Set<string>()

// The lowest runtime we run on: Electron 25 (Node 18.15, Chrome 114). electron-vite would assume a newer one.
// Everything is bundled: main needs no node_modules at run time, and packages that are ESM alone become CommonJS.
export default defineConfig({
  main: {
    plugins: [bundledPackages(), characterMaps],
    define: { __SKEIN_VERSION__: JSON.stringify(version) },
    build: {
      target: 'node18.15',
      externalizeDeps: false,
      rollupOptions: {
        input: {
          index: here('src/main/index.ts'),
          cli: here('src/cli/index.ts'),
          'practice.worker': here('src/main/practice/practice.worker.ts'),
          'families.worker': here('src/main/library/families/families.worker.ts'),
          'statistics.worker': here('src/main/library/statistics/statistics.worker.ts'),
          'count.worker': here('src/main/library/count/count.worker.ts'),
          'comparison.worker': here('src/main/home/comparison/comparison.worker.ts'),
          'find.worker': here('src/main/home/finding/find.worker.ts'),
          'landmark.worker': here('src/main/home/landmarks/landmark.worker.ts'),
          'tokens.worker': here('src/main/compose/tokens.worker.ts'),
          'sqlite.worker': here('src/main/sqlite/sqlite.worker.ts'),
          'search.worker': here('src/main/search/search.worker.ts'),
          'snapshot.worker': here('src/main/library/snapshots/snapshot.worker.ts'),
          'pdf.worker': here('src/main/pdf/pdf.worker.ts'),
        },
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunks/[name]-[hash].cjs',
          minify: smaller,
        },
      },
    },
  },
  preload: {
    plugins: [contractNames, bundledPackages()],
    build: {
      target: 'node18.15',
      externalizeDeps: false,
      rollupOptions: {
        input: { index: here('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs', minify: smaller },
      },
    },
  },
  renderer: {
    root: here('src/renderer'),
    worker: { plugins: () => [modulesOfWorkers(ofWorkers)] },
    plugins: [react(), firstFonts, zodWithoutCompiling, contractNames, bundledPackages(ofWorkers)],
    // The page's policy allows no style element.
    resolve: {
      alias: { 'react-style-singleton': here('src/renderer/ui/styles/style-singleton.ts') },
    },
    build: {
      target: 'chrome114',
      // The page's policy allows fonts of its own alone, not those inside a style sheet.
      assetsInlineLimit: 0,
      // Chromium has it; what stands in for it would be one more file, which both pages would wait for.
      modulePreload: { polyfill: false },
      rollupOptions: {
        input: { index: here('src/renderer/index.html'), quick: here('src/renderer/quick.html') },
        output: { minify: smaller },
      },
    },
  },
})
