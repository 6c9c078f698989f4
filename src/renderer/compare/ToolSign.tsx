import { TriangleAlert, Wrench } from 'lucide-react'
import type { Entry } from '../../shared/model/conversation/entry'
import { isFailedResult } from '../../shared/model/conversation/tool-results'
import { Icon } from '../ui/controls/Icon'

/** Sign of a call, or of a failed result; nothing for other entries. */
export function ToolSign(props: { readonly entry: Entry }) {
  const { entry } = props
  if (entry.entry_type === 'tool_call') return <Icon of={Wrench} size={12} label="Tool call" />
  if (entry.entry_type !== 'tool_result' || !isFailedResult(entry)) return null
  return <Icon of={TriangleAlert} size={12} label="Failed" className="err-t" />
}
