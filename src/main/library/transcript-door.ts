/** The transcripts of the library's conversations, read by pages, and one of them followed while it grows. */
export { followTranscript, type TranscriptFeed } from './feed'
export { openTranscripts, type Transcripts } from './transcripts'
