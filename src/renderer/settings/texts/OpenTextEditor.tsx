import { useHomeTexts, useStores } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { TextEditor } from '../../ui/text/TextEditor'
import type { HomeTextLabels } from './text-labels'

/** Editor of the text of the home that is being edited. */
export function OpenTextEditor(props: {
  readonly words: HomeTextLabels
  readonly isThere: boolean
  readonly onClosed: () => void
}) {
  const { words, isThere, onClosed } = props
  const { homeTexts } = useStores()
  const edit = useHomeTexts((state) => state.edit)
  const refusal = useHomeTexts((state) => state.refusal?.error)
  if (edit === undefined) return null

  async function save(text: string | null): Promise<boolean> {
    const isSaved = await homeTexts.getState().save(text)
    if (isSaved) onClosed()
    return isSaved
  }
  return (
    <div className="text-row-editor">
      <TextEditor
        label={edit.name.endsWith('.md') ? `${words.title}, in Markdown` : words.title}
        edit={edit}
        now={edit.now}
        refusal={refusal}
        takesFocus
        rows={14}
        isCode={edit.name.endsWith('.toml')}
        acts={
          isThere && (
            <>
              <Button
                isSmall
                kind="ghost"
                isDisabled={edit.now !== edit.before}
                onClick={() => void save(null)}
              >
                Remove file
              </Button>
              <span className="grow" />
            </>
          )
        }
        onChange={({ text, before }) => homeTexts.getState().change(text, before)}
        onSave={() => save(edit.text)}
        onLeave={() => {
          homeTexts.getState().leave()
          onClosed()
        }}
      />
    </div>
  )
}
