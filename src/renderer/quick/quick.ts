import type { QuickDraftNames, QuickView } from '../../shared/ipc/app/quick'
import { createQuickApi } from './quick-api'
import './quick.css'

// The page of the quick entry: a field, where its message goes, and the model. Without the libraries of the app window it is there at once.

const keepAfterMs = 300
/** Words are kept that soon, however fast somebody types. */
const keepAtLatestMs = 1000
/** Longest message, in characters, as the contract has it. */
const longestMessage = 200_000

const message = part('message', HTMLTextAreaElement)
const target = part('target', HTMLSelectElement)
const refusal = part('refusal', HTMLElement)
const model = part('model', HTMLElement)
const sendButton = part('send', HTMLButtonElement)
const { api: transport } = window
if (transport === undefined) throw new Error('window.api is missing: the preload did not run')
const api = createQuickApi(transport)

/** What is shown, and whose draft the field has; undefined before the kept draft has come. */
let shown: QuickView | undefined
/** The words of the field as main has them. */
let keptText = ''
let isSending = false
let keeping: ReturnType<typeof setTimeout> | undefined
/** When the first key was pressed that is not kept yet, by the page's clock. */
let typedAt: number | undefined
/** Resolves when the field may be changed: an input method has nothing open there. */
let composed = Promise.resolve()
/** Views are taken in one after the other. */
let taking = Promise.resolve()

api.onShown((view) => void take(view))
api.onClosing(() => void hide())
void load()
const dark = window.matchMedia('(prefers-color-scheme: dark)')
dark.addEventListener('change', () => setTheme())
setTheme()

message.addEventListener('input', () => {
  refusal.textContent = ''
  clearTimeout(keeping)
  const now = performance.now()
  typedAt ??= now
  keeping = setTimeout(() => void keep(), Math.min(keepAfterMs, typedAt + keepAtLatestMs - now))
})
message.addEventListener('compositionstart', () => {
  composed = new Promise((resolve) =>
    message.addEventListener('compositionend', () => resolve(), { once: true }),
  )
})
document.addEventListener('keydown', (event) => {
  // An input method takes Enter and Esc for its own candidates.
  if (event.isComposing || event.keyCode === 229) return
  if (event.key === 'Escape') void hide()
  else if (event.key === 'Enter' && event.target === message && !event.shiftKey && !event.altKey) {
    event.preventDefault()
    // A key that is held sends once.
    if (!event.repeat) void send()
  }
})
target.addEventListener('change', showModel)
sendButton.addEventListener('click', () => void send())
part('hide', HTMLButtonElement).addEventListener('click', () => void hide())
window.addEventListener('focus', () => message.focus())
window.addEventListener('blur', () => void keep())

/** Reads what is shown, and the kept draft. */
async function load(): Promise<void> {
  try {
    await take(await api.view())
  } catch (error) {
    tell(error)
  }
}

function take(view: QuickView): Promise<void> {
  taking = taking.then(() => takeIn(view)).catch(tell)
  return taking
}

async function takeIn(view: QuickView): Promise<void> {
  await composed
  const before = shown
  if (before !== undefined && before.home !== view.home) {
    // The words of the home before are its draft. Where they cannot be kept they stay here.
    do {
      await composed
      if (!(await keep())) return
      // Keys that were pressed meanwhile are of that draft, too.
    } while (message.value !== keptText)
    setText(view.draft)
  } else if (before === undefined) {
    // What was typed before the kept draft had come stands behind it.
    keptText = view.draft
    if (view.draft !== '') setText(joined(view.draft, message.value), view.draft)
  } else if (before.id !== view.id) {
    // Another draft took its place. Nothing was typed since: what is shown is what main has.
    if (message.value === keptText && message.value !== view.draft) setText(view.draft)
    else keptText = ''
  }
  shown = view
  showTargets(view, before?.home === view.home ? target.value : '')
  showModel()
  document.documentElement.style.setProperty('--text-zoom', String(view.textZoom))
  setTheme()
  if (view.notice !== undefined) refusal.textContent = view.notice
  if (message.value !== keptText) void keep()
  message.focus()
}

function joined(before: string, after: string): string {
  return after === '' ? before : `${before}\n\n${after}`
}

function setText(text: string, kept = text): void {
  keptText = kept
  message.value = text
  message.setSelectionRange(text.length, text.length)
}

function showTargets({ conversation }: QuickView, chosen: string): void {
  target.replaceChildren(new Option('New conversation', ''))
  if (conversation === undefined) return
  const { key, title } = conversation
  target.append(new Option(`Go on in “${title}”`, key, false, key === chosen))
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

/** Keeps the draft over restarts; resolves to whether it is kept. One that cannot be stays in the field, with the reason. */
async function keep(): Promise<boolean> {
  clearTimeout(keeping)
  typedAt = undefined
  // Before the kept draft has come it would be lost; a message on its way is on the disk.
  if (shown === undefined || isSending) return shown === undefined
  const text = message.value
  if (text === keptText) return true
  if (isTooLong(text)) return false
  const { home, id } = shown
  try {
    await api.keep({ home, id, text })
    if (shown.id === id) keptText = text
    return true
  } catch (error) {
    tell(error)
    return false
  }
}

async function hide(): Promise<void> {
  if (isSending || (await keep())) await api.hide()
}

async function send(): Promise<void> {
  if (message.value.trim() === '' || isSending) return
  if (shown === undefined) {
    // Its draft goes first: it might be sent along unseen.
    refusal.textContent = 'The draft of before is read first. Press Enter again.'
    return load()
  }
  if (isTooLong(message.value)) return
  clearTimeout(keeping)
  const { home, id } = shown
  const key = target.value
  setSending(true)
  let next: QuickDraftNames | undefined
  try {
    next = await api.send({
      home,
      id,
      text: message.value,
      ...(key === '' ? {} : { key: key as Key }),
    })
    setText('')
  } catch (error) {
    tell(error)
  } finally {
    setSending(false)
  }
  // What is typed from now on is the next draft's. Words that were refused are the draft still, perhaps under another id.
  if (next !== undefined) shown = { ...shown, ...next, draft: '' }
  const words = refusal.textContent
  await load()
  refusal.textContent ||= words
}

type Key = NonNullable<QuickView['conversation']>['key']

function setSending(now: boolean): void {
  isSending = now
  message.readOnly = now
  sendButton.disabled = now
  target.disabled = now
  message.setAttribute('aria-busy', String(now))
  if (now) refusal.textContent = ''
}

/** Tells where a text is too long: it can be neither kept nor sent. */
function isTooLong(text: string): boolean {
  if (text.length <= longestMessage) return false
  const over = (text.length - longestMessage).toLocaleString('en')
  refusal.textContent = `The message is too long by ${over} characters, and is not kept.`
  return true
}

function tell(error: unknown): void {
  refusal.textContent = error instanceof Error ? error.message : String(error)
}

function part<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id)
  if (!(element instanceof type)) throw new Error(`quick.html has no #${id}`)
  return element
}
