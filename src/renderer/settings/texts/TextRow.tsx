import type { ReactNode } from 'react'
import type { HomeText } from '../../../shared/model/settings/home-texts'
import { useHomeTexts, useStores } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { formatByteSize } from '../../ui/format/format'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { SettingRow } from '../rows/SettingRow'
import { OpenTextEditor } from './OpenTextEditor'
import { type HomeTextLabels, homeTextLabels } from './text-labels'

/** Row of a text of the home, with its editor. */
export function TextRow(props: {
  readonly text: HomeText
  /** Button that undoes the last save, where it was of this text. */
  readonly undo: ReactNode
  /** Called when the editor closes. */
  readonly onClosed: () => void
}) {
  const { text, undo, onClosed } = props
  const { name, bytes, fault } = text
  const { homeTexts } = useStores()
  const isOpen = useHomeTexts(({ edit }) => edit?.name === name)
  const isOtherOpen = useHomeTexts(({ edit }) => edit !== undefined && edit.name !== name)
  const refusal = useHomeTexts((state) =>
    state.refusal?.name === name ? state.refusal.error : undefined,
  )
  const words = homeTextLabels(name)
  return (
    <section data-text={name} aria-label={words.title}>
      <SettingRow
        name={words.title}
        configKey={name}
        words={words.about}
        control={<span className="small t2">{fault ?? stateOf(bytes, words)}</span>}
        from={
          fault === undefined &&
          !isOpen && (
            <span className="text-acts">
              <Button
                isSmall
                isDisabled={isOtherOpen}
                onClick={() => void homeTexts.getState().open(name)}
              >
                {bytes === null ? 'Write…' : 'Edit…'}
              </Button>
              {undo}
            </span>
          )
        }
      />
      {refusal !== undefined && !isOpen && (
        <RefusalNote title="Nothing was changed." refusal={refusal} />
      )}
      {isOpen && <OpenTextEditor words={words} isThere={bytes !== null} onClosed={onClosed} />}
    </section>
  )
}

function stateOf(bytes: number | null, { without }: HomeTextLabels): string {
  return bytes === null ? without : formatByteSize(bytes)
}
