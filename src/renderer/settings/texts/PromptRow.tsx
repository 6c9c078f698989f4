import { useState } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { HomeTextName } from '../../../shared/model/settings/home-texts'
import {
  isSamePromptName,
  promptFile,
  promptNameFault,
  type SavedPrompt,
} from '../../../shared/model/settings/saved-prompts'
import { useHomeTexts, usePrompts, useStores } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { SettingRow } from '../rows/SettingRow'
import { OpenTextEditor } from './OpenTextEditor'
import { PromptNameForm } from './PromptNameForm'
import { homeTextLabels } from './text-labels'

/** Row of a saved prompt: its first line and fields; edits, renames and deletes it. */
export function PromptRow(props: {
  readonly prompt: SavedPrompt
  /** Called with the name that it has then, or undefined where it is gone. */
  readonly onClosed: (name: HomeTextName | undefined) => void
}) {
  const { prompt, onClosed } = props
  const { name, about, fields, fault } = prompt
  const file = promptFile(name)
  const { homeTexts } = useStores()
  const [isRenaming, setRenaming] = useState(false)
  const isOpen = useHomeTexts(({ edit }) => file !== undefined && edit?.name === file)
  const isOtherOpen = useHomeTexts(({ edit }) => edit !== undefined && edit.name !== file)
  const others = usePrompts((state) => state.prompts)
  const refusal = useHomeTexts((state) =>
    state.refusal?.name === file ? state.refusal?.error : undefined,
  )
  if (file === undefined) return <UntypedRow prompt={prompt} />
  const words = homeTextLabels(file)

  async function rename(to: string): Promise<void> {
    const target = promptFile(to)
    if (file === undefined || target === undefined) return
    setRenaming(false)
    const isRenamed = target === file || (await homeTexts.getState().rename(file, target))
    onClosed(isRenamed ? target : file)
  }
  return (
    <section data-text={file} aria-label={words.title}>
      <SettingRow
        name={words.title}
        words={fault === undefined ? visibleText(about) : undefined}
        control={
          isRenaming ? (
            <PromptNameForm
              label={`New name of ${words.title}`}
              initial={name}
              act="Rename"
              faultOf={(typed) =>
                promptNameFault(typed) ??
                takenFault(
                  typed,
                  others?.filter((one) => one.name !== name),
                )
              }
              onName={(to) => void rename(to)}
              onCancel={() => {
                setRenaming(false)
                onClosed(file)
              }}
            />
          ) : (
            <span className="small t2">{fault ?? fieldWords(prompt)}</span>
          )
        }
        from={
          !isOpen &&
          !isRenaming && (
            <span className="text-acts">
              <Button
                isSmall
                isDisabled={isOtherOpen}
                onClick={() => void homeTexts.getState().open(file)}
              >
                Edit…
              </Button>
              <Button isSmall isDisabled={isOtherOpen} onClick={() => setRenaming(true)}>
                Rename…
              </Button>
              <Button
                isSmall
                isDisabled={isOtherOpen}
                onClick={() => {
                  void homeTexts
                    .getState()
                    .remove(file)
                    .then((isGone) => onClosed(isGone ? undefined : file))
                }}
              >
                Delete
              </Button>
            </span>
          )
        }
      />
      {refusal !== undefined && !isOpen && (
        <RefusalNote title="Nothing was changed." refusal={refusal} />
      )}
      {isOpen && <OpenTextEditor words={words} isThere={false} onClosed={() => onClosed(file)} />}
    </section>
  )

  function fieldWords(of: SavedPrompt): string {
    return of.fields.length === 0 ? '' : `Asks for ${fields.map((one) => one.name).join(', ')}.`
  }
}

/** Says which prompt has a name already, whatever its case; undefined where none has. */
export function takenFault(
  name: string,
  prompts: readonly SavedPrompt[] | undefined,
): string | undefined {
  const taken = prompts?.find((one) => isSamePromptName(one.name, name))
  return taken && `There is a prompt “${taken.name}”.`
}

/** Row of a file whose name cannot be typed: it is renamed or removed outside. */
function UntypedRow({ prompt: { name, fault } }: { readonly prompt: SavedPrompt }) {
  const file = visibleText(name.toLowerCase().endsWith('.md') ? name : `${name}.md`)
  return (
    <section aria-label={file}>
      <SettingRow
        name={file}
        words="Its file cannot be typed. Rename it in the folder “prompts” of the home."
        control={<span className="small t2">{fault}</span>}
      />
    </section>
  )
}
