import { Server, ServerCredentials } from "@grpc/grpc-js";

/** Serves a path whose response is the request. Messages stay bytes, as in our server. */
export function serve(socket: string, path: string): Promise<void> {
  const server = new Server();
  const asIs = (bytes: Buffer): Buffer => bytes;
  server.addService(
    {
      echo: {
        path,
        requestStream: false,
        responseStream: false,
        requestSerialize: asIs,
        requestDeserialize: asIs,
        responseSerialize: asIs,
        responseDeserialize: asIs,
      },
    },
    {
      echo: (
        { request }: { readonly request: Buffer },
        answer: (error: null, response: Buffer) => void,
      ) => {
        answer(null, request);
      },
    },
  );
  return new Promise((resolve, reject) => {
    server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}
