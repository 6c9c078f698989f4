import { visibleText } from '../../../shared/model/basics/visible'
import type { HomeTextName } from '../../../shared/model/settings/home-texts'
import { deletedPromptOf, promptFile } from '../../../shared/model/settings/saved-prompts'
import { useHomeTexts, useStores } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { SettingRow } from '../rows/SettingRow'
import { homeTextLabels } from './text-labels'

/** Rows of the deleted prompts of a home, which are kept: each can be restored, or deleted for good. Nothing where there is none. */
export function DeletedPrompts(props: {
  /** Called with the text whose row gets the focus; undefined for the undo. */
  readonly onDone: (name: HomeTextName | undefined) => void
}) {
  const { onDone } = props
  const { homeTexts } = useStores()
  const texts = useHomeTexts((state) => state.texts)
  const isOtherOpen = useHomeTexts(({ edit }) => edit !== undefined)
  return texts?.map(({ name: kept }) => {
    const name = deletedPromptOf(kept)
    const file = name === undefined ? undefined : promptFile(name)
    if (file === undefined) return null
    const { title } = homeTextLabels(file)
    return (
      <section key={kept} data-text={kept} aria-label={`${title}, deleted`}>
        <SettingRow
          name={title}
          words={`Deleted, and kept as ${visibleText(kept)}.`}
          control={null}
          from={
            <span className="text-acts">
              <Button
                isSmall
                isDisabled={isOtherOpen}
                onClick={() => {
                  void homeTexts
                    .getState()
                    .rename(kept, file)
                    .then((isBack) => onDone(isBack ? file : kept))
                }}
              >
                Restore
              </Button>
              <Button
                isSmall
                isDisabled={isOtherOpen}
                onClick={() => {
                  void homeTexts
                    .getState()
                    .remove(kept)
                    .then((isGone) => onDone(isGone ? undefined : kept))
                }}
              >
                Delete for good
              </Button>
            </span>
          }
        />
      </section>
    )
  })
}
