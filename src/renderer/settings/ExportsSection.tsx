import { Pencil, Trash2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import { mostOwnPatterns } from '../../shared/model/settings/own-pattern'
import { useApp, useLibraryState, usePatternTrial, useSettings, useStores } from '../state/context'
import { useShownTitle } from '../state/use-shown-title'
import { Button, IconButton } from '../ui/controls/Button'
import { formatQuantity } from '../ui/format/format'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { SettingRow } from './rows/SettingRow'

/** Section of Settings for own patterns of redaction: each is tried on a conversation as it is typed. */
export function ExportsSection() {
  const { settings } = useStores()
  const patterns = useSettings(({ view }) => view?.preferences.redactPatterns) ?? []
  const refusal = useSettings(({ refusals }) => refusals.preferences)
  const setPreferences = useSettings((state) => state.setPreferences)
  const [text, setText] = useState('')
  /** The kept pattern that the text takes the place of. */
  const [edited, setEdited] = useState<string>()
  const [removed, setRemoved] = useState<{ readonly pattern: string; readonly at: number }>()
  const isRefused = usePatternTrial(({ trial }) => trial.type === 'refused')
  const field = useRef<HTMLInputElement>(null)
  const id = useId()

  async function keep(next: readonly string[]): Promise<boolean> {
    await setPreferences({ redactPatterns: [...new Set(next)] })
    return settings.getState().refusals.preferences === undefined
  }

  function write(words: string, of: string | undefined): void {
    setText(words)
    setEdited(of)
    field.current?.focus()
  }

  // Enter in the field sends the form whatever the button is.
  const isNew = edited === undefined
  const hasPlace = !isNew || (!patterns.includes(text) && patterns.length < mostOwnPatterns)
  const canSave = text.trim() !== '' && hasPlace && !isRefused

  async function save(): Promise<void> {
    if (!canSave) return
    const isThere = edited !== undefined && patterns.includes(edited)
    const next = isThere
      ? patterns.map((one) => (one === edited ? text : one))
      : [...patterns, text]
    setRemoved(undefined)
    if (await keep(next)) write('', undefined)
  }

  async function remove(pattern: string): Promise<void> {
    const at = patterns.indexOf(pattern)
    // The pressed button goes with its row.
    field.current?.focus()
    if (await keep(patterns.filter((one) => one !== pattern))) setRemoved({ pattern, at })
  }

  async function undo(): Promise<void> {
    if (removed === undefined) return
    field.current?.focus()
    if (await keep(patterns.toSpliced(removed.at, 0, removed.pattern))) setRemoved(undefined)
  }

  return (
    <>
      <RefusalNote title="Not saved." refusal={refusal} />
      <SettingRow
        name="Own patterns"
        labelFor={id}
        words={
          <>
            Exports replace them where “Own patterns” is ticked, and{' '}
            <code>skein export --redact</code> does. A text is found in any case;{' '}
            <code>/words between slashes/</code> are a regular expression.
          </>
        }
        control={
          <form
            className="pattern-form"
            onSubmit={(event) => {
              event.preventDefault()
              void save()
            }}
          >
            <div className="row-x">
              <div className="field setting-field">
                <input
                  ref={field}
                  id={id}
                  className="mono"
                  value={text}
                  autoComplete="off"
                  spellCheck={false}
                  aria-describedby={`${id}-trial`}
                  onChange={(event) => setText(event.target.value)}
                  onKeyDown={(event) => {
                    if (event.key !== 'Escape' || text === '') return
                    event.stopPropagation()
                    write('', undefined)
                  }}
                />
              </div>
              <Button isSmall kind="primary" isDisabled={!canSave} onClick={() => void save()}>
                {edited === undefined ? 'Add' : 'Save'}
              </Button>
            </div>
            <Trial id={`${id}-trial`} text={text} />
          </form>
        }
      />
      {patterns.length === 0 && removed === undefined && (
        <p className="t3 small settings-after">
          None are kept. Names of customers, projects or machines are what others keep here.
        </p>
      )}
      {patterns.length > 0 && (
        <ul className="pattern-list" aria-label="Own patterns">
          {patterns.map((pattern) => (
            <li key={pattern}>
              <code className="grow">{visibleText(pattern)}</code>
              <IconButton
                label={`Edit ${visibleText(pattern)}`}
                icon={Pencil}
                size="small"
                onClick={() => write(pattern, pattern)}
              />
              <IconButton
                label={`Remove ${visibleText(pattern)}`}
                icon={Trash2}
                size="small"
                onClick={() => void remove(pattern)}
              />
            </li>
          ))}
        </ul>
      )}
      {removed !== undefined && (
        <p className="small settings-after" role="status">
          Removed <code>{visibleText(removed.pattern)}</code>.{' '}
          <Button isSmall kind="ghost" onClick={() => void undo()}>
            Undo
          </Button>
        </p>
      )}
    </>
  )
}

/** What the pattern finds in the open conversation, or in the first of the library. */
function Trial({ id, text }: { readonly id: string; readonly text: string }) {
  const { patternTrial } = useStores()
  const open = useApp(({ place }) => (place.type === 'conversation' ? place.key : undefined))
  const first = useLibraryState(({ conversations }) => conversations[0]?.key)
  const key = open ?? first
  const title = useShownTitle(key)
  const trial = usePatternTrial((state) => state.trial)
  useEffect(() => {
    void patternTrial.getState().attempt(text, key)
  }, [patternTrial, text, key])
  return (
    <p id={id} className="small t2 number" role="status">
      {trial.type === 'counting' && 'Counting…'}
      {trial.type === 'counted' &&
        (trial.places === 0
          ? `Nothing in “${title}”.`
          : `${formatQuantity(trial.places, 'place')} in “${title}”.`)}
      {trial.type === 'refused' && <span className="err-t">{trial.message}</span>}
    </p>
  )
}
