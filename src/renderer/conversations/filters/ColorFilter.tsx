import { labelColors } from '../../../shared/model/conversation/label'
import { useLibraryState, useStores } from '../../state/context'
import { ChoiceMenu } from '../../ui/controls/ChoiceMenu'
import { ColorMark } from '../../ui/controls/ColorMark'
import { useListedConversations } from './use-filtered'

/** Filter of the library by colour; nothing where no conversation has one. */
export function ColorFilter() {
  const { library } = useStores()
  const listed = useListedConversations()
  const chosen = useLibraryState((state) => state.color)
  const used = labelColors.filter(
    (color) => color === chosen || listed.some((row) => row.color === color),
  )
  if (used.length === 0) return null
  return (
    <ChoiceMenu
      text="Colors"
      options={[
        { value: undefined, label: 'All conversations' },
        ...used.map((color) => ({
          value: color,
          label: color,
          mark: <ColorMark color={color} />,
          count: listed.filter((row) => row.color === color).length,
        })),
      ]}
      value={chosen}
      onChoose={(color) => library.getState().setColor(color)}
      className="library-grouping tagged"
    />
  )
}
