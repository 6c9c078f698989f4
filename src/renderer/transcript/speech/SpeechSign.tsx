import { Mic, Volume2 } from 'lucide-react'
import { Icon } from '../../ui/controls/Icon'
import type { SpeechFacts } from './speech'

/** Sign that an entry was heard, or spoken. */
export function SpeechSign(props: { readonly speech: SpeechFacts }) {
  const isHeard = props.speech.kind === 'heard'
  return <Icon of={isHeard ? Mic : Volume2} size={12} label={isHeard ? 'heard' : 'spoken'} />
}
