import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App'
import { createApi, windowTransport } from './api'
import { whenNoDialog } from './app-window/commands/has-dialog'
import { openAppWindowState } from './state/app-window-state'
import { holdEarlyTyping } from './ui/behaviour/early-typing'
import { trustOwnScripts } from './ui/behaviour/trusted-types'
import { createHighlighter } from './ui/text/highlighter'
import { loadFormulaStyles } from './ui/text/math/formula-styles'
import { createFormulas } from './ui/text/math/formulas'
import './styles.css'

trustOwnScripts(document.baseURI)

holdEarlyTyping(document)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

const highlighter = createHighlighter(
  () => new Worker(new URL('./ui/text/highlight.worker.ts', import.meta.url), { type: 'module' }),
)
const formulas = createFormulas(
  () =>
    new Worker(new URL('./ui/text/math/formula.worker.ts', import.meta.url), { type: 'module' }),
  loadFormulaStyles,
)
const state = openAppWindowState(createApi(windowTransport()), window.localStorage, whenNoDialog)

// Row heights are measured with the final fonts: one that loads later would move the text.
await Promise.allSettled(
  ['400 13px "Inter Variable"', '400 12px "JetBrains Mono Variable"'].map((font) =>
    document.fonts.load(font),
  ),
)
createRoot(root).render(
  <StrictMode>
    <App state={state} highlighter={highlighter} formulas={formulas} />
  </StrictMode>,
)
