package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// service calls the REST API of the intrusion detection service.
type service struct {
	project, zone, baseURL, token string
}

var errNotFound = errors.New("not found")

type operation struct {
	Name  string `json:"name"`
	Done  bool   `json:"done"`
	Error *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// call sends a request and reads the response into found.
func (s *service) call(ctx context.Context, method, path string, query url.Values, body, found any) error {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, s.baseURL+path+"?"+query.Encode(), content)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return err
	}
	if response.StatusCode == http.StatusNotFound {
		return errNotFound
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text)
	}
	return json.Unmarshal(text, found)
}

// run starts an operation and waits until it is done.
func (s *service) run(ctx context.Context, method, path string, query url.Values, body any) error {
	var current operation
	if err := s.call(ctx, method, path, query, body, &current); err != nil {
		return err
	}
	for delay := 5 * time.Second; !current.Done; delay = min(2*delay, 45*time.Second) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(delay):
		}
		if err := s.call(ctx, http.MethodGet, current.Name, nil, nil, &current); err != nil {
			return err
		}
	}
	if current.Error != nil {
		return errors.New(current.Error.Message)
	}
	return nil
}
