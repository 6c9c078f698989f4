import { useRef, useState } from 'react'
import type { VisibleSettings } from '../../../shared/model/settings/settings'
import { useSettings } from '../../state/context'
import { focusWhenDrawn } from '../../ui/behaviour/focus'
import { Button } from '../../ui/controls/Button'
import { Note } from '../../ui/notes/Note'
import { InlineField } from '../rows/InlineField'
import { explainedValue, isOverridden } from '../rows/origins'
import { OriginButton, SettingRow } from '../rows/SettingRow'
import { KeyRefusal } from './KeyRefusal'

/** Row of the API key, which is never shown in full. It warns before a weak keychain is used. */
export function KeyRow(props: {
  readonly view: VisibleSettings
  readonly isSelected: boolean
  readonly onExplain: () => void
}) {
  const { view, isSelected, onExplain } = props
  const setKey = useSettings((state) => state.setKey)
  const refusal = useSettings(({ refusals }) => refusals.key)
  const dismiss = useSettings((state) => state.dismiss)
  const [isEntering, setEntering] = useState(false)
  /** A key that waits for confirmation, since the keychain is weak. */
  const [weak, setWeak] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const value = explainedValue(view, 'key')
  const isWeak = refusal?.code === 'weak-keychain' && weak !== undefined

  function forgetRefused(): void {
    setWeak(undefined)
    dismiss('key')
  }

  function close(): void {
    setEntering(false)
    forgetRefused()
    focusWhenDrawn(() => button.current)
  }

  async function keep(key: string, allowWeak: boolean): Promise<void> {
    setWeak(key)
    if (await setKey(key, allowWeak)) close()
  }

  async function remove(): Promise<void> {
    // The button goes with the key, so the focus must move.
    if (await setKey(null, false)) button.current?.focus()
  }

  return (
    <>
      <SettingRow
        name="Key"
        configKey="api_key"
        isSelected={isSelected}
        words={
          isOverridden(value)
            ? `Set in ${value?.where ?? 'a file'}, which overrides Settings.`
            : 'Never shown in full, never exported.'
        }
        control={
          isEntering ? (
            <InlineField
              label="New key"
              initial=""
              isSecret
              onChange={forgetRefused}
              onKeep={(key) => void keep(key, false)}
              onCancel={close}
            />
          ) : (
            <div className="key-form">
              <span className="mono small key-hint">{value?.value ?? 'no key yet'}</span>
              <Button
                ref={button}
                isSmall
                onClick={() => {
                  setEntering(true)
                  onExplain()
                }}
              >
                {value === undefined ? 'Enter a key…' : 'Replace…'}
              </Button>
              {value?.origin === 'settings' && (
                <Button kind="danger" isSmall onClick={() => void remove()}>
                  Remove
                </Button>
              )}
            </div>
          )
        }
        from={<OriginButton value={value} name="Key" onExplain={onExplain} />}
      />
      {isEntering && view.keychain !== 'strong' && !isWeak && (
        <Note tone="warn" title="This system has no secure keychain.">
          Your other programs could read a key saved here. Or set an environment variable, or
          api_key in config.toml.
        </Note>
      )}
      <KeyRefusal
        title="The key was not saved."
        refusal={refusal}
        onSaveAnyway={isWeak ? () => void keep(weak, true) : undefined}
      />
    </>
  )
}
