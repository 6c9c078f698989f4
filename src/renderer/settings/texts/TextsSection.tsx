import { useEffect, useRef } from 'react'
import { type HomeText, knownHomeTexts } from '../../../shared/model/settings/home-texts'
import { useHomeTexts, useStores } from '../../state/context'
import { focusWhenDrawn } from '../../ui/behaviour/focus'
import { Button } from '../../ui/controls/Button'
import { FailureNote } from '../../ui/notes/FailureNote'
import { LiveRegion } from '../../ui/notes/LiveRegion'
import { TextRow } from './TextRow'
import { homeTextLabels } from './text-labels'

/** Section of Settings for the home's prompts and `models.toml`. */
export function TextsSection() {
  const { homeTexts } = useStores()
  const texts = useHomeTexts((state) => state.texts)
  const failure = useHomeTexts((state) => state.failure)
  const saved = useHomeTexts((state) => state.saved)
  const list = useRef<HTMLDivElement>(null)

  // Files may be edited elsewhere, so they are read when shown and when the window gets the focus.
  useEffect(() => {
    const load = () => void homeTexts.getState().load()
    load()
    window.addEventListener('focus', load)
    return () => window.removeEventListener('focus', load)
  }, [homeTexts])

  /** Focuses the row's button after an action: the pressed control is gone. */
  function focusOn(name: string): void {
    focusWhenDrawn(() =>
      list.current?.querySelector<HTMLElement>(`[data-text="${CSS.escape(name)}"] button`),
    )
  }

  async function undo(): Promise<void> {
    const name = saved?.name
    if ((await homeTexts.getState().undo()) && name !== undefined) focusOn(name)
  }
  return (
    <>
      {failure !== undefined && (
        <FailureNote
          title="The texts could not be listed."
          failure={failure}
          onAgain={() => void homeTexts.getState().load()}
        />
      )}
      <LiveRegion label="Texts">
        {saved !== undefined && savedWords(saved.name, saved.now)}
      </LiveRegion>
      <div ref={list}>
        {texts?.filter(isNoPrompt).map((text) => (
          <TextRow
            key={text.name}
            text={text}
            undo={
              saved?.name === text.name ? (
                <Button isSmall onClick={() => void undo()}>
                  Undo
                </Button>
              ) : undefined
            }
            onClosed={() => focusOn(text.name)}
          />
        ))}
      </div>
    </>
  )
}

/** Saved and deleted prompts have a section of their own. */
function isNoPrompt({ name }: HomeText): boolean {
  return knownHomeTexts.includes(name)
}

function savedWords(name: Parameters<typeof homeTextLabels>[0], now: string | null): string {
  const { title } = homeTextLabels(name)
  return now === null ? `${title}: the file is removed.` : `${title}: saved.`
}
