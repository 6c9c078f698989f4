import { Lightbulb } from 'lucide-react'
import { visibleText } from '../../../shared/model/basics/visible'
import { Markdown } from '../../ui/text/Markdown'
import { reasoningFold } from '../items/folds'
import { Fold } from './Fold'

/** Reasoning before an answer, folded: its first words are beside the name. */
export function ReasoningFold(props: { readonly itemKey: string; readonly text: string }) {
  const { text } = props
  return (
    <Fold
      name={reasoningFold(props.itemKey)}
      icon={Lightbulb}
      part="reasoning"
      head={(isOpen) => (
        <>
          <b>Reasoning</b>
          {!isOpen && <span className="cut t3">{visibleText(text.trimStart().slice(0, 200))}</span>}
        </>
      )}
    >
      <Markdown text={text} />
    </Fold>
  )
}
