import { type FormEvent, useId, useState } from 'react'
import type { SettingsView } from '../../shared/model/settings'
import { useSettings } from '../state/context'
import { Button } from '../ui/Button'
import { Note } from '../ui/Note'
import { explainedValue, isOverridden } from './origins'
import { Origin, Row } from './Row'

/** The key: never shown whole, never put into a field; a keychain that keeps it badly is told of before it is used. */
export function KeyRow(props: {
  readonly view: SettingsView
  readonly isSelected: boolean
  readonly onExplain: () => void
}) {
  const { view, isSelected, onExplain } = props
  const setKey = useSettings((state) => state.setKey)
  const refusal = useSettings(({ refusals }) => refusals.key)
  const [entered, setEntered] = useState<string>()
  const id = useId()
  const value = explainedValue(view, 'key')
  const isEntering = entered !== undefined
  const isWeak = refusal?.code === 'weak-keychain'

  async function save(allowWeak: boolean): Promise<void> {
    if (entered === undefined || entered.trim() === '') return
    if (await setKey(entered.trim(), allowWeak)) setEntered(undefined)
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    void save(false)
  }

  return (
    <>
      <Row
        name="Key"
        configKey="api_key"
        isSelected={isSelected}
        {...(isEntering ? { labelFor: id } : {})}
        words={
          isOverridden(value)
            ? `Set in ${value?.where ?? 'a file'}, which comes before Settings.`
            : 'Never shown whole, never exported.'
        }
        control={
          isEntering ? (
            <form className="key-form" onSubmit={onSubmit}>
              <div className="field setting-field">
                <input
                  id={id}
                  type="password"
                  aria-label="New key"
                  value={entered}
                  autoComplete="off"
                  // biome-ignore lint/a11y/noAutofocus: the field was asked for by the button in its place
                  autoFocus
                  onFocus={onExplain}
                  onChange={(event) => setEntered(event.target.value)}
                  onKeyDown={(event) => {
                    if (event.key !== 'Escape') return
                    event.stopPropagation()
                    setEntered(undefined)
                  }}
                />
              </div>
              <Button kind="primary" isSmall type="submit" isDisabled={entered.trim() === ''}>
                Keep
              </Button>
              <Button kind="ghost" isSmall onClick={() => setEntered(undefined)}>
                Cancel
              </Button>
            </form>
          ) : (
            <div className="key-form">
              <span className="mono small key-hint">{value?.value ?? 'no key yet'}</span>
              <Button isSmall onClick={() => setEntered('')}>
                {value === undefined ? 'Enter a key…' : 'Replace…'}
              </Button>
              {value?.origin === 'settings' && (
                <Button kind="danger" isSmall onClick={() => void setKey(null, false)}>
                  Remove
                </Button>
              )}
            </div>
          )
        }
        from={<Origin value={value} name="Key" onExplain={onExplain} />}
      />
      {isEntering && view.keychain !== 'strong' && !isWeak && (
        <Note tone="warn" title="This system has no keychain that keeps secrets well.">
          A key kept here could be read by other programs of yours. A variable of the environment,
          or api_key in config.toml, are other ways.
        </Note>
      )}
      {refusal !== undefined && (
        <Note
          tone={isWeak ? 'warn' : 'error'}
          title={isWeak ? 'The key is not kept yet.' : 'The key was not kept.'}
          detail={refusal.detail}
          actions={
            isWeak && (
              <Button isSmall onClick={() => void save(true)}>
                Keep it all the same
              </Button>
            )
          }
        >
          {refusal.message}
        </Note>
      )}
    </>
  )
}
