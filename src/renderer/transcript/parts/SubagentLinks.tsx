import { Bot } from 'lucide-react'
import type { CalledSubagent } from '../../../shared/model/family/branching'
import { useActions } from '../../state/context'
import { Button } from '../../ui/controls/Button'

/** Buttons that open the subagents that a turn called. */
export function SubagentLinks(props: { readonly subagents: readonly CalledSubagent[] }) {
  const { openAt } = useActions()
  return (
    <div className="subagent-links">
      {props.subagents.map(({ key, entry, title }) => (
        <Button
          key={`${key} ${entry}`}
          isSmall
          icon={Bot}
          onClick={() => void openAt(key, { entry })}
        >
          Subagent: {title === '' ? 'without words' : title}
        </Button>
      ))}
    </div>
  )
}
