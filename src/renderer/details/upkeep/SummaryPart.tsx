import { Pencil } from 'lucide-react'
import { useRef } from 'react'
import { useStores, useUpkeep } from '../../state/context'
import { focusWhenDrawn } from '../../ui/behaviour/focus'
import { Button, IconButton } from '../../ui/controls/Button'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { Markdown } from '../../ui/text/Markdown'
import { TextEditor } from '../../ui/text/TextEditor'

/**
 * Summary that the model gets before the context window, to read and to edit.
 *
 * @param text undefined where there is none
 */
export function SummaryPart({ text }: { readonly text: string | undefined }) {
  const { upkeep } = useStores()
  const edit = useUpkeep((state) => (state.edit?.type === 'summary' ? state.edit : undefined))
  const isOther = useUpkeep((state) => state.edit !== undefined && state.edit.type !== 'summary')
  const refusal = useUpkeep((state) =>
    state.refusal?.of === 'summary' ? state.refusal.error : undefined,
  )
  const section = useRef<HTMLElement>(null)

  function closed(): void {
    focusWhenDrawn(() => section.current?.querySelector('button'))
  }
  async function save(words: string | null): Promise<boolean> {
    const isSaved = await upkeep.getState().saveSummary(words)
    if (isSaved) closed()
    return isSaved
  }
  return (
    <section ref={section} className="details-section" aria-label="Summary">
      <h3 className="details-head">
        Summary
        <span className="grow" />
        {edit === undefined && (
          <IconButton
            label="Edit summary"
            icon={Pencil}
            size="medium"
            isDisabled={isOther}
            onClick={() => void upkeep.getState().editSummary()}
          />
        )}
      </h3>
      <div className="details-text">
        {edit !== undefined ? (
          <TextEditor
            label="Summary, in Markdown"
            edit={edit}
            // A save notices what another program wrote.
            now={edit.before}
            refusal={refusal}
            takesFocus
            acts={
              edit.before !== null && (
                <>
                  <Button isSmall kind="ghost" onClick={() => void save(null)}>
                    Remove
                  </Button>
                  <span className="grow" />
                </>
              )
            }
            onChange={(next) => upkeep.getState().change(next.text)}
            onSave={() => save(edit.text)}
            onLeave={() => {
              upkeep.getState().leave()
              closed()
            }}
          />
        ) : text === undefined || text.trim() === '' ? (
          <p className="t3 small">
            None yet. When earlier messages are summarized, the model gets the summary first.
          </p>
        ) : (
          <Markdown text={text} />
        )}
        {edit === undefined && refusal !== undefined && (
          <RefusalNote title="Nothing was changed." refusal={refusal} />
        )}
      </div>
    </section>
  )
}
