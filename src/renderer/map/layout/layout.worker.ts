import { type LayoutRequest, layoutSession } from './layout-session'

const session = layoutSession()

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => self.postMessage(session(data))
