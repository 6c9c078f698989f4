import { visibleText } from '../../../shared/model/basics/visible'
import type { SearchHit } from '../../../shared/model/search'

/** Returns who speaks in a hit, or what it is of: "You", "Answer", "Result of bash". */
export function hitSpeaker({
  field,
  role,
  tool,
}: Pick<SearchHit, 'field' | 'role' | 'tool'>): string {
  const name = tool === undefined ? undefined : visibleText(tool)
  switch (field) {
    case 'title':
      return 'Title'
    case 'arguments':
      return name === undefined ? 'Tool call' : `Arguments of ${name}`
    case 'result':
      return name === undefined ? 'Tool result' : `Result of ${name}`
    case 'damaged':
      return 'Damaged line'
    case 'content':
      return { user: 'You', agent: 'Answer', system: 'System', none: 'Text' }[role ?? 'none']
  }
}
