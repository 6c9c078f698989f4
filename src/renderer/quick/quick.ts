import type { QuickView } from '../../shared/ipc/app/quick'
import { createQuickApi } from './quick-api'
import './quick.css'

// The page of the quick entry: a field, where its message goes, and the model. Without the libraries of the app window it is there at once.

const keepAfterMs = 300

const message = part('message', HTMLTextAreaElement)
const target = part('target', HTMLSelectElement)
const refusal = part('refusal', HTMLElement)
const model = part('model', HTMLElement)
const sendButton = part('send', HTMLButtonElement)
const { api: transport } = window
if (transport === undefined) throw new Error('window.api is missing: the preload did not run')
const api = createQuickApi(transport)

let shown: QuickView | undefined
let isDrafted = false
let isSending = false
let keeping: ReturnType<typeof setTimeout> | undefined

api.onShown(show)
void api.view().then(show, tell)
const dark = window.matchMedia('(prefers-color-scheme: dark)')
dark.addEventListener('change', () => setTheme())
setTheme()

message.addEventListener('input', () => {
  // What is typed counts, also before the kept draft has come.
  isDrafted = true
  refusal.textContent = ''
  clearTimeout(keeping)
  keeping = setTimeout(() => void keep(), keepAfterMs)
})
document.addEventListener('keydown', (event) => {
  // An input method takes Enter and Esc for its own candidates.
  if (event.isComposing || event.keyCode === 229) return
  if (event.key === 'Escape') void keep().then(() => api.hide())
  else if (event.key === 'Enter' && event.target === message && !event.shiftKey && !event.altKey) {
    event.preventDefault()
    void send()
  }
})
target.addEventListener('change', showModel)
sendButton.addEventListener('click', () => void send())
part('hide', HTMLButtonElement).addEventListener('click', () => void keep().then(() => api.hide()))
window.addEventListener('focus', () => message.focus())
window.addEventListener('blur', () => void keep())

function show(view: QuickView): void {
  if (!isDrafted) {
    isDrafted = true
    message.value = view.draft
    message.setSelectionRange(view.draft.length, view.draft.length)
  }
  shown = view
  const chosen = target.value
  target.replaceChildren(new Option('New conversation', ''))
  if (view.conversation !== undefined) {
    const { key, title } = view.conversation
    target.append(new Option(`Go on in “${title}”`, key, false, key === chosen))
  }
  showModel()
  document.documentElement.style.setProperty('--text-zoom', String(view.textZoom))
  setTheme()
  message.focus()
}

/** Shows which model answers, or why none does. */
function showModel(): void {
  const goesOn = target.value === '' ? undefined : shown?.conversation?.goesOn
  const answering = goesOn ?? shown?.begins
  const words = answering?.notReady ?? answering?.model ?? ''
  model.textContent = words
  model.title = words
}

/** Sets the colours, by the settings where they are known, else by the system's. */
function setTheme(): void {
  const { theme = 'system', contrast = 'system' } = shown ?? {}
  const wantsMore = window.matchMedia('(prefers-contrast: more)').matches
  const { dataset } = document.documentElement
  dataset.theme = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
  dataset.contrast = contrast === 'more' || (contrast === 'system' && wantsMore) ? 'more' : 'normal'
}

/** Keeps the draft over restarts; one that cannot be kept stays in the field. */
async function keep(): Promise<void> {
  clearTimeout(keeping)
  if (!isDrafted || isSending) return
  await api.keep({ text: message.value }).catch(tell)
}

async function send(): Promise<void> {
  const text = message.value
  if (text.trim() === '' || isSending) return
  clearTimeout(keeping)
  setSending(true)
  try {
    const key = target.value
    await api.send(key === '' ? { text } : { text, key: key as Key })
    message.value = ''
  } catch (error) {
    tell(error)
  } finally {
    setSending(false)
  }
}

type Key = NonNullable<QuickView['conversation']>['key']

function setSending(now: boolean): void {
  isSending = now
  message.readOnly = now
  sendButton.disabled = now
  message.setAttribute('aria-busy', String(now))
  if (now) refusal.textContent = ''
}

function tell(error: unknown): void {
  refusal.textContent = error instanceof Error ? error.message : String(error)
}

function part<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id)
  if (!(element instanceof type)) throw new Error(`quick.html has no #${id}`)
  return element
}
