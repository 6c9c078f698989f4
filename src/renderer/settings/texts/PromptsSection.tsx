import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { HomeTextName } from '../../../shared/model/settings/home-texts'
import {
  deletedPromptOf,
  promptFile,
  promptNameFault,
  promptNameOf,
} from '../../../shared/model/settings/saved-prompts'
import { useHomeTexts, usePrompts, useStores } from '../../state/context'
import { focusWhenDrawn } from '../../ui/behaviour/focus'
import { Button } from '../../ui/controls/Button'
import { FailureNote } from '../../ui/notes/FailureNote'
import { LiveRegion } from '../../ui/notes/LiveRegion'
import { Note } from '../../ui/notes/Note'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { SettingRow } from '../rows/SettingRow'
import { DeletedPrompts } from './DeletedPrompts'
import { OpenTextEditor } from './OpenTextEditor'
import { PromptNameForm } from './PromptNameForm'
import { PromptRow, takenFault } from './PromptRow'
import { homeTextLabels } from './text-labels'

/** Section of Settings for saved prompts: writes, renames and deletes them, each with an undo. */
export function PromptsSection() {
  const { homeTexts, prompts: store } = useStores()
  const prompts = usePrompts((state) => state.prompts)
  const failure = usePrompts((state) => state.failure)
  const texts = useHomeTexts((state) => state.texts)
  const edited = useHomeTexts(({ edit }) => edit?.name)
  const refused = useHomeTexts((state) => state.refusal)
  const [isAdding, setAdding] = useState(false)
  const part = useRef<HTMLDivElement>(null)

  // Files may be edited elsewhere, so they are read when shown, when the window gets the focus, and after each change here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change gives another list of texts
  useEffect(() => {
    const load = () => void store.getState().load()
    load()
    window.addEventListener('focus', load)
    return () => window.removeEventListener('focus', load)
  }, [store, texts])

  // Deleted ones are among the texts.
  useEffect(() => {
    const load = () => void homeTexts.getState().load()
    load()
    window.addEventListener('focus', load)
    return () => window.removeEventListener('focus', load)
  }, [homeTexts])

  /** Focuses a button after an action: the pressed control is gone. */
  function focusOn(name: HomeTextName | undefined): void {
    focusWhenDrawn(() => {
      const row =
        name === undefined ? null : part.current?.querySelector(`[data-text="${CSS.escape(name)}"]`)
      return (
        row?.querySelector<HTMLElement>('button') ??
        part.current?.querySelector<HTMLElement>('[data-undo] button, [data-add] button')
      )
    })
  }

  const isNew =
    edited !== undefined &&
    promptNameOf(edited) !== undefined &&
    prompts?.some(({ name }) => name === promptNameOf(edited)) === false
  // A refused act on a prompt that has a row is told there.
  const isRowless =
    refused !== undefined &&
    refused.name !== edited &&
    isPrompt(refused.name) &&
    prompts?.some(({ name }) => promptFile(name) === refused.name) !== true
  return (
    <div ref={part} className="prompts">
      {failure !== undefined && (
        <FailureNote
          title="The prompts could not be listed."
          failure={failure}
          onAgain={() => void store.getState().load()}
        />
      )}
      <LastChange onUndone={focusOn} />
      {isRowless && <RefusalNote title="Nothing was changed." refusal={refused.error} />}
      {prompts?.length === 0 && !isNew && (
        <p className="t2 prompts-empty">
          No prompts are saved yet. One that you save is typed as “/” and its name in a message;
          {' {{words}} '}in it are asked for each time.
        </p>
      )}
      {prompts?.map((prompt) => (
        <PromptRow key={prompt.name} prompt={prompt} onClosed={focusOn} />
      ))}
      {isNew && (
        <section aria-label={homeTextLabels(edited).title}>
          <SettingRow name={homeTextLabels(edited).title} configKey={edited} control={null} />
          <OpenTextEditor
            words={homeTextLabels(edited)}
            isThere={false}
            onClosed={() => focusOn(edited)}
          />
        </section>
      )}
      <div className="prompts-add" data-add>
        {isAdding ? (
          <PromptNameForm
            label="Name of the new prompt"
            initial=""
            act="Write…"
            faultOf={(name) => promptNameFault(name) ?? takenFault(name, prompts)}
            onName={(name) => {
              const file = promptFile(name)
              setAdding(false)
              if (file !== undefined) void homeTexts.getState().open(file)
            }}
            onCancel={() => {
              setAdding(false)
              focusOn(undefined)
            }}
          />
        ) : (
          <Button
            isSmall
            icon={Plus}
            isDisabled={edited !== undefined}
            onClick={() => setAdding(true)}
          >
            New prompt…
          </Button>
        )}
      </div>
      <DeletedPrompts onDone={focusOn} />
    </div>
  )
}

function isPrompt(name: HomeTextName): boolean {
  return promptNameOf(name) !== undefined || deletedPromptOf(name) !== undefined
}

/** What was changed last, with its undo: a deleted prompt has no row that could have it. */
function LastChange(props: { readonly onUndone: (name: HomeTextName) => void }) {
  const { onUndone } = props
  const { homeTexts } = useStores()
  const saved = useHomeTexts((state) => state.saved)
  const renamed = useHomeTexts((state) => state.renamed)
  const name = renamed?.from ?? saved?.name
  const words =
    renamed !== undefined
      ? renamedWords(renamed.from, renamed.to)
      : saved !== undefined && isPrompt(saved.name)
        ? `${homeTextLabels(saved.name).title}: ${savedAs(saved.name, saved.now)}.`
        : undefined
  return (
    <>
      <LiveRegion label="Prompts">{words}</LiveRegion>
      {words !== undefined && name !== undefined && (
        <div className="prompts-change" data-undo>
          <Note
            tone="plain"
            title={words}
            actions={
              <Button
                isSmall
                onClick={() => {
                  void homeTexts
                    .getState()
                    .undo()
                    .then((isUndone) => isUndone && onUndone(name))
                }}
              >
                Undo
              </Button>
            }
          />
        </div>
      )}
    </>
  )
}

function savedAs(name: HomeTextName, now: string | null): string {
  if (now !== null) return 'saved'
  return deletedPromptOf(name) === undefined ? 'deleted' : 'deleted for good'
}

function renamedWords(from: HomeTextName, to: HomeTextName): string {
  const { title } = homeTextLabels(to)
  return deletedPromptOf(from) === undefined
    ? `${homeTextLabels(from).title} is now ${title}.`
    : `${title} is restored.`
}
