import './clock'
import { createRoot } from 'react-dom/client'
import { App } from '../../../src/renderer/App'
import { createApi } from '../../../src/renderer/api'
import { whenNoDialog } from '../../../src/renderer/app-window/commands/has-dialog'
import { openAppWindowState } from '../../../src/renderer/state/app-window-state'
import type { AppWindowState } from '../../../src/renderer/state/context'
import { createHighlighter } from '../../../src/renderer/ui/text/highlighter'
import { loadFormulaStyles } from '../../../src/renderer/ui/text/math/formula-styles'
import { createFormulas } from '../../../src/renderer/ui/text/math/formulas'
import '../../../src/renderer/styles.css'
import { AppError, type ErrorCode } from '../../../src/shared/model/basics/errors'
import type { MemoryHome } from './memory-home'
import { homeOf } from './scenarios'

declare global {
  interface Window {
    /** What a browser test does to the home while the window is open. */
    home: MemoryHome
    /** What the window knows and can do: for acts that have no button of their own. */
    skein: AppWindowState
    /** What the next start of a run is refused with; errors are not passed into a page. */
    refuseNext(code: ErrorCode, message: string): void
    /** What the next change of preferences is refused with. */
    refusePreferences(code: ErrorCode, message: string): void
    /** What the next search is refused with. */
    refuseSearch(code: ErrorCode, message: string): void
    /** What the next answer about the sources is refused with. */
    refuseSources(code: ErrorCode, message: string): void
  }
}

const home = homeOf(new URLSearchParams(location.search))
window.home = home
window.refuseNext = (code, message) => home.refuse(new AppError(code, message))
window.refusePreferences = (code, message) => home.refusePreferences(new AppError(code, message))
window.refuseSearch = (code, message) => home.search.refuse(new AppError(code, message))
window.refuseSources = (code, message) => home.sources.refuse(new AppError(code, message))

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
const highlighter = createHighlighter(
  () =>
    new Worker(new URL('../../../src/renderer/ui/text/highlight.worker.ts', import.meta.url), {
      type: 'module',
    }),
)
const formulas = createFormulas(
  () =>
    new Worker(new URL('../../../src/renderer/ui/text/math/formula.worker.ts', import.meta.url), {
      type: 'module',
    }),
  loadFormulaStyles,
)
const state = openAppWindowState(createApi(home.api.transport), window.localStorage, whenNoDialog)
window.skein = state
await Promise.allSettled(
  ['400 13px "Inter Variable"', '400 12px "JetBrains Mono Variable"'].map((font) =>
    document.fonts.load(font),
  ),
)
// A view that throws is told as a warning: the tests of what stands in its place are no faults of the page.
const onCaughtError = (error: unknown) => console.warn(String(error))
createRoot(root, { onCaughtError }).render(
  <App state={state} highlighter={highlighter} formulas={formulas} />,
)
