export { type RawOptions, RawPeer } from './raw-peer.ts';
export { type RecordedLine, type RecordingLogger, recordingLogger } from './recording-logger.ts';
export { scriptedProgram, scriptedServer } from './scripted-server.ts';
export {
  type OpenOffice,
  type OpenOfficeOptions,
  openOffice,
  type TestOffice,
  type TestOfficeOptions,
  type TestTools,
  testOffice,
} from './test-office.ts';
